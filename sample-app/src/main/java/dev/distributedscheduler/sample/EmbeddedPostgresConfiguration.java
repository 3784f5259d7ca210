package dev.distributedscheduler.sample;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** So that the sample needs nothing: a PostgreSQL of its own, unless {@code spring.datasource.url} names another. */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedPostgresConfiguration.NoUrlGiven.class)
class EmbeddedPostgresConfiguration {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgresConfiguration.class);
    private static final String USER = "postgres";

    @Bean(destroyMethod = "close")
    EmbeddedPostgres embeddedPostgres() throws IOException {
        // Spring closes it, after everything that uses it; its own hook would do so at once.
        EmbeddedPostgres postgres =
                EmbeddedPostgres.builder().setRegisterShutdownHook(false).start();
        log.info(
                "Started PostgreSQL. A second replica joins with"
                        + " --server.port=8081 --spring.datasource.url=jdbc:postgresql://localhost:{}/postgres"
                        + " --spring.datasource.username=postgres",
                postgres.getPort());
        return postgres;
    }

    @Bean
    JdbcConnectionDetails embeddedPostgresConnectionDetails(EmbeddedPostgres postgres) {
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return "jdbc:postgresql://localhost:%d/postgres".formatted(postgres.getPort());
            }

            @Override
            public String getUsername() {
                return USER;
            }

            @Override
            public String getPassword() {
                return USER;
            }
        };
    }

    static final class NoUrlGiven extends NoneNestedConditions {

        NoUrlGiven() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.datasource.url")
        static class UrlGiven {}
    }
}
