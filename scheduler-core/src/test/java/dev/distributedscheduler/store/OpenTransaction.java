package dev.distributedscheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** A transaction on a connection of its own, open until the test ends it: what another node may have under way. */
public final class OpenTransaction implements AutoCloseable {

    private final DedicatedDataSource source;
    private final Connection connection;

    public OpenTransaction(DataSource dataSource) throws SQLException {
        this.source = new DedicatedDataSource(dataSource, Duration.ofSeconds(20));
        this.connection = source.getConnection();
        connection.setAutoCommit(false);
    }

    /** Whose statements are all part of the transaction. */
    public Database database() {
        return new Database(source, Database.DEFAULT_SCHEMA);
    }

    public void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() {
        source.abort();
    }
}
