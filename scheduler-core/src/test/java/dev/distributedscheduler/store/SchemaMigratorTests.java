package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Servers that the scheduler cannot work with. */
class SchemaMigratorTests {

    @Test
    void otherProductIsNamed() {
        SchemaMigrator migrator = new SchemaMigrator(server("MySQL", 8, "8.4.0"), "scheduler");

        SchedulerConfigurationException refusal =
                catchThrowableOfType(SchedulerConfigurationException.class, migrator::migrate);

        assertThat(refusal).hasMessage("The scheduler's database is MySQL");
        assertThat(refusal.remedy()).contains("PostgreSQL", "@SchedulerDataSource");
    }

    @Test
    void versionThatIsTooOldIsNamed() {
        SchemaMigrator migrator = new SchemaMigrator(server("PostgreSQL", 13, "13.14"), "scheduler");

        SchedulerConfigurationException refusal =
                catchThrowableOfType(SchedulerConfigurationException.class, migrator::check);

        assertThat(refusal).hasMessage("The scheduler's database is PostgreSQL 13.14");
        assertThat(refusal.remedy()).isEqualTo("Use PostgreSQL 14 or newer.");
    }

    @Test
    void databaseThatCannotBeReachedIsNoConfigurationError() {
        DataSource down = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("down");
            }

            @Override
            public Connection getConnection(String username, String password) throws SQLException {
                throw new SQLException("down");
            }
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> new SchemaMigrator(down, "scheduler").migrate())
                .withMessage("Cannot connect to the scheduler's database")
                .withRootCauseInstanceOf(SQLException.class);
    }

    @Test
    void badSchemaNameIsRefusedBeforeAnythingIsAsked() {
        assertThat(catchThrowableOfType(
                        SchedulerConfigurationException.class,
                        () -> new SchemaMigrator(server("PostgreSQL", 17, "17.0"), "My Schema")))
                .hasMessageContaining("My Schema");
    }

    private static DataSource server(String product, int major, String version) {
        DatabaseMetaData metaData = answering(
                DatabaseMetaData.class,
                Map.of(
                        "getDatabaseProductName", product,
                        "getDatabaseMajorVersion", major,
                        "getDatabaseProductVersion", version));
        return answering(
                DataSource.class,
                Map.of("getConnection", answering(Connection.class, Map.of("getMetaData", metaData))));
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    assertThat(answers).containsKey(method.getName());
                    return answers.get(method.getName());
                }));
    }
}
