package dev.distributedscheduler.store;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the scheduler's schema to the version this code needs, or refuses to go on.
 *
 * <p>Any number of replicas may start at once: one migrates while the others wait on a transaction-scoped advisory lock
 * (which also works behind a transaction pooler), and then find nothing left to do. A schema that is newer than the code
 * is accepted, so that an old replica can still start during a rolling deployment.
 */
public final class SchemaMigrator {

    static final String HISTORY_TABLE = "schema_history";
    /** Where the scripts are on the classpath. */
    public static final String SCRIPTS = "dev/distributedscheduler/schema";

    private static final Logger log = LoggerFactory.getLogger(SchemaMigrator.class);
    private static final int OLDEST_POSTGRESQL = 14;

    private final DataSource unpooled;
    private final String schema;

    /** @param unpooled a source of new connections: migrating needs several, which a small pool may not have */
    public SchemaMigrator(DataSource unpooled, String schema) {
        this.unpooled = unpooled;
        this.schema = Database.checked(schema);
    }

    /** Applies the scripts that are missing. */
    public void migrate() {
        checkServer();
        Flyway flyway = flyway();
        if (flyway.info().pending().length > 0) {
            whileLocked(flyway::migrate);
            log.info(
                    "The schema '{}' is at version {} now",
                    schema,
                    flyway.info().current().getVersion());
        }
    }

    /** Fails when a script is missing, and says which. */
    public void check() {
        checkServer();
        MigrationInfo[] pending = flyway().info().pending();
        if (pending.length > 0) {
            String missing =
                    Arrays.stream(pending).map(MigrationInfo::getScript).collect(Collectors.joining(", "));
            throw new SchedulerConfigurationException(
                    "The schema '%s' lacks %s, and distributed-scheduler.migrate is false".formatted(schema, missing),
                    "Apply the missing scripts (classpath:%s) in this order, or set distributed-scheduler.migrate to true."
                            .formatted(SCRIPTS));
        }
    }

    private Flyway flyway() {
        return Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(unpooled)
                .schemas(schema)
                .defaultSchema(schema)
                .table(HISTORY_TABLE)
                .locations("classpath:" + SCRIPTS)
                .load();
    }

    private void whileLocked(Runnable work) {
        try (Connection connection = unpooled.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement lock = connection.prepareStatement("""
                    select set_config('idle_in_transaction_session_timeout', '0', true),
                           pg_advisory_xact_lock(hashtext('distributed-scheduler'), hashtext(?))
                    """)) {
                lock.setString(1, schema);
                lock.execute();
            }
            work.run();
            connection.commit();
        } catch (SQLException failure) {
            throw new IllegalStateException("Cannot lock the schema '%s' for migration".formatted(schema), failure);
        }
    }

    private void checkServer() {
        try (Connection connection = unpooled.getConnection()) {
            DatabaseMetaData server = connection.getMetaData();
            if (!server.getDatabaseProductName().equals("PostgreSQL")) {
                throw new SchedulerConfigurationException(
                        "The scheduler's database is %s".formatted(server.getDatabaseProductName()),
                        "Give it a PostgreSQL: mark the right DataSource with @SchedulerDataSource.");
            }
            if (server.getDatabaseMajorVersion() < OLDEST_POSTGRESQL) {
                throw new SchedulerConfigurationException(
                        "The scheduler's database is PostgreSQL %s".formatted(server.getDatabaseProductVersion()),
                        "Use PostgreSQL %d or newer.".formatted(OLDEST_POSTGRESQL));
            }
        } catch (SQLException failure) {
            throw new IllegalStateException("Cannot connect to the scheduler's database", failure);
        }
    }
}
