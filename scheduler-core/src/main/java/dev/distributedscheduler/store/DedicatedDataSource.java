package dev.distributedscheduler.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;

/**
 * One connection that belongs to one part of the engine, opened when needed and again when it broke.
 *
 * <p>Vital calls go through such connections, so that an application which exhausts its pool, or a statement that hangs,
 * cannot take the node's lease with it. Every call on it has a bound: the network timeout breaks the connection.
 */
public final class DedicatedDataSource extends AbstractDataSource implements SmartDataSource, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DedicatedDataSource.class);

    private final DataSource unpooled;
    private final Duration callTimeout;
    private @Nullable Connection connection;
    private @Nullable Integer ownBackend;

    /**
     * @param unpooled opens a new physical connection at every call
     * @param callTimeout bound for every read from the server; zero for none
     */
    public DedicatedDataSource(DataSource unpooled, Duration callTimeout) {
        this.unpooled = unpooled;
        this.callTimeout = callTimeout;
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection current = connection;
        if (current == null || current.isClosed()) {
            current = open();
            connection = current;
        }
        return current;
    }

    @Override
    public Connection getConnection(String username, String password) {
        throw new UnsupportedOperationException("A dedicated connection has one user");
    }

    @Override
    public boolean shouldClose(Connection candidate) {
        return false;
    }

    /**
     * The server process that serves this connection and nothing else; null behind a pooler, where a session may serve
     * another client at the next statement.
     */
    synchronized @Nullable Integer ownBackend() throws SQLException {
        getConnection();
        return ownBackend;
    }

    @Override
    public synchronized void close() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException alreadyBroken) {
                log.debug("Closing a dedicated connection failed", alreadyBroken);
            }
        }
    }

    /** Breaks the connection from another thread than the one that waits on it. */
    public synchronized void abort() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.abort(Runnable::run);
            } catch (SQLException alreadyBroken) {
                log.debug("Aborting a dedicated connection failed", alreadyBroken);
            }
        }
    }

    private Connection open() throws SQLException {
        Connection opened = unpooled.getConnection();
        try {
            opened.setAutoCommit(true);
            if (!callTimeout.isZero()) {
                opened.setNetworkTimeout(Runnable::run, Math.toIntExact(callTimeout.toMillis()));
            }
            ownBackend = backendOf(opened);
            return opened;
        } catch (SQLException | RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    /** A pooler answers the driver with a process id of its own making, so the two differ behind one. */
    private static @Nullable Integer backendOf(Connection opened) throws SQLException {
        int announced = opened.unwrap(PGConnection.class).getBackendPID();
        try (Statement statement = opened.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1) == announced ? announced : null;
        }
    }
}
