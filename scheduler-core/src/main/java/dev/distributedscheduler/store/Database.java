package dev.distributedscheduler.store;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A way to the scheduler's tables: connections, transactions, and the name of the schema.
 *
 * <p>Statements are written for the default schema, {@code scheduler.run} and so on, as one would type them into psql; a
 * differently named schema is put in here and nowhere else.
 */
public final class Database {

    public static final String DEFAULT_SCHEMA = "scheduler";

    private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,50}");
    private static final String WRITTEN_PREFIX = DEFAULT_SCHEMA + ".";

    private final String schema;
    private final DataSource dataSource;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Map<String, String> retargeted = new ConcurrentHashMap<>();

    public Database(DataSource dataSource, String schema) {
        this.schema = checked(schema);
        this.dataSource = dataSource;
        this.jdbc = JdbcClient.create(dataSource);
        this.transactions = new TransactionTemplate(transactionsOf(dataSource));
    }

    /** The schema's name, if it is one that needs no quoting. */
    public static String checked(String schema) {
        if (!IDENTIFIER.matcher(schema).matches()) {
            throw new SchedulerConfigurationException(
                    "'%s' cannot be the scheduler's schema".formatted(schema),
                    "Use lower-case letters, digits and underscores, at most 51, in distributed-scheduler.schema.");
        }
        return schema;
    }

    /** Plain JDBC transactions on a data source. */
    public static PlatformTransactionManager transactionsOf(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    StatementSpec sql(String statement) {
        return jdbc.sql(
                schema.equals(DEFAULT_SCHEMA) ? statement : retargeted.computeIfAbsent(statement, this::retarget));
    }

    /** Everything the work does is committed together or not at all. */
    public <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }

    /** The server process that serves nobody but this; null where connections are pooled, here or on the way. */
    @Nullable
    Integer ownBackend() {
        try {
            return dataSource instanceof DedicatedDataSource dedicated ? dedicated.ownBackend() : null;
        } catch (SQLException failure) {
            throw new CannotGetJdbcConnectionException("No dedicated connection", failure);
        }
    }

    /** The channel on which the nodes of this schema wake each other. */
    String channel() {
        return schema + "_wake_up";
    }

    private String retarget(String statement) {
        return statement.replace(WRITTEN_PREFIX, schema + ".");
    }
}
