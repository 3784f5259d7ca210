package dev.distributedscheduler.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A lock on a table, held until this is closed: brings a replica to a halt at a chosen statement. */
final class HeldLock implements AutoCloseable {

    /** What others can no longer do with the table. */
    enum Mode {
        NO_READS("access exclusive"),
        NO_WRITES("share");

        private final String sql;

        Mode(String sql) {
            this.sql = sql;
        }
    }

    private final Connection connection;

    HeldLock(DataSource dataSource, String table, Mode mode) {
        try {
            connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("lock table %s in %s mode".formatted(table, mode.sql));
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
