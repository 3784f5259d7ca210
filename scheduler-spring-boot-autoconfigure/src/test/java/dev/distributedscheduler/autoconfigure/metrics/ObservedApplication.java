package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.autoconfigure.DistributedSchedulerAutoConfiguration;
import dev.distributedscheduler.autoconfigure.health.SchedulerHealthAutoConfiguration;
import dev.distributedscheduler.fixture.PostgresDatabase;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with the starter, meters for Prometheus, observations and health, on a test's database. */
final class ObservedApplication {

    private ObservedApplication() {}

    static ApplicationContextRunner on(PostgresDatabase database) {
        return unobserved(database)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        PrometheusMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class));
    }

    /** The same without what Spring Boot needs to show it. */
    static ApplicationContextRunner unobserved(PostgresDatabase database) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        DistributedSchedulerAutoConfiguration.class,
                        SchedulerHealthAutoConfiguration.class,
                        SchedulerMetricsAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.username(),
                        "spring.datasource.password=" + database.password(),
                        "distributed-scheduler.watch.every=200ms");
    }
}
