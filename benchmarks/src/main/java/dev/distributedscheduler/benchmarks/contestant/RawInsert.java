package dev.distributedscheduler.benchmarks.contestant;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;

/** Ways to insert many rows at once. */
enum RawInsert {
    UNNEST("`insert … select from unnest(array)`") {
        @Override
        void insert(Connection connection, List<String> jobs) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into job (payload) select unnest(?::text[])")) {
                statement.setArray(1, connection.createArrayOf("text", jobs.toArray()));
                statement.executeUpdate();
            }
        }
    },

    COPY("`copy … from stdin`") {
        @Override
        void insert(Connection connection, List<String> jobs) throws SQLException, IOException {
            // The jobs are digits and a colon: nothing to escape.
            String rows = String.join("\n", jobs);
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy job (payload) from stdin", new StringReader(rows));
        }
    };

    private final String label;

    RawInsert(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    abstract void insert(Connection connection, List<String> jobs) throws SQLException, IOException;
}
