package dev.distributedscheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** LISTEN on a connection of its own: a pooled one would pass the notifications on to its next borrower. */
public final class Notifications implements AutoCloseable {

    private final DedicatedDataSource source;
    private final String channel;
    private @Nullable Connection listening;

    public Notifications(DedicatedDataSource source, Database database) {
        this.source = source;
        this.channel = database.channel();
    }

    /**
     * Listens if it does not yet.
     *
     * @return whether it began only now, so that something may have been missed before
     */
    public boolean listen() throws SQLException {
        Connection connection = source.getConnection();
        if (connection == listening) {
            return false;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel);
        }
        listening = connection;
        return true;
    }

    /** Waits for wake-ups; an empty answer after the patience means that there were none and the connection lives. */
    public List<String> await(Duration patience) throws SQLException {
        Connection connection = source.getConnection();
        try {
            PGNotification[] received =
                    connection.unwrap(PGConnection.class).getNotifications((int) patience.toMillis());
            if (received != null && received.length > 0) {
                return Arrays.stream(received).map(PGNotification::getParameter).toList();
            }
            if (connection.isValid((int) Math.max(1, patience.toSeconds()))) {
                return List.of();
            }
            throw new SQLException("The listening connection is dead");
        } catch (SQLException broken) {
            source.close(); // the driver does not always notice by itself that a connection is of no more use
            throw broken;
        }
    }

    /** Whether notifications reach this connection; behind a transaction pooler they do not. */
    public boolean canListen() throws SQLException {
        return source.ownBackend() != null;
    }

    /** Stops listening, also while another thread waits. */
    @Override
    public void close() {
        source.abort();
    }
}
