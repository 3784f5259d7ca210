package dev.distributedscheduler.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A table that nobody else can use until this is closed: brings a replica to a halt at a chosen statement. */
final class HeldLock implements AutoCloseable {

    private final Connection connection;

    HeldLock(DataSource dataSource, String table) {
        try {
            connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("lock table " + table + " in access exclusive mode");
            }
        } catch (SQLException failure) {
            throw new AssertionError("No lock on " + table, failure);
        }
    }

    /** Whether that session of the server stands still because of this lock. */
    boolean isAwaitedBy(int session) {
        return JdbcClient.create(new SingleConnectionDataSource(connection, true))
                .sql("select pg_backend_pid() = any (pg_blocking_pids(:session))")
                .param("session", session)
                .query(Boolean.class)
                .single();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw new AssertionError("The lock was lost", failure);
        }
    }
}
