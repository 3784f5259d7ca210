package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.autoconfigure.health.SchedulerHealthIndicator;
import dev.distributedscheduler.autoconfigure.metrics.MetersTable.Documented;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a running application shows, and what is documented, are the same. */
@PostgresTest
class SchedulerMetricsIntegrationTests {

    private final PostgresDatabase database;
    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    SchedulerMetricsIntegrationTests(PostgresDatabase database) {
        this.database = database;
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = ObservedApplication.on(database).withBean(Jobs.class);
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
    }

    static class Jobs {

        @DistributedScheduled(name = "often", fixedRateString = "300ms", mustSucceedEvery = "1h")
        void often() {}

        @DistributedScheduled(name = "never", cron = "0 0 0 1 1 *", mustSucceedEvery = "1ms")
        void never() {}

        @DistributedJob("fails")
        void fail() {
            throw new IllegalStateException("no luck");
        }
    }

    @Test
    void applicationShowsWhatIsDocumentedAndNothingElse() throws Exception {
        Map<String, Documented> documented = MetersTable.read();
        assertThat(documented).hasSizeGreaterThan(30);
        application.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(JobScheduler.class).enqueue("fails", null);

            await().untilAsserted(() -> assertThat(shown(registry).keySet()).containsAll(documented.keySet()));

            assertThat(shown(registry))
                    .isEqualTo(documented.entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey, meter -> meter.getValue().tags())));
            String scrape = context.getBean(PrometheusMeterRegistry.class).scrape();
            assertThat(MetersTable.series())
                    .allSatisfy(series -> assertThat(scrape).contains("\n" + series));
        });
    }

    /** Names and tags; a meter of which some have a tag that others lack shows all of them. */
    private static Map<String, Set<String>> shown(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("scheduler."))
                .collect(Collectors.groupingBy(
                        Meter.Id::getName,
                        Collectors.flatMapping(
                                id -> id.getTags().stream().map(Tag::getKey), Collectors.toCollection(TreeSet::new))));
    }

    @Test
    void jobThatDoesNotKeepItsPromiseIsSeenEverywhere() {
        application.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().untilAsserted(() -> assertThat(registry.get("scheduler.job.overdue")
                            .tag("job.name", "never")
                            .gauge()
                            .value())
                    .isEqualTo(1));
            assertThat(registry.get("scheduler.job.overdue")
                            .tag("job.name", "often")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(context.getBean(SchedulerHealthIndicator.class).health().getStatus())
                    .isEqualTo(SchedulerHealthIndicator.DEGRADED);
            assertThat(context.getBean(Runs.class).freshness()).hasSize(2);
        });
    }

    @Test
    void healthIsUpAndKnowsTheLeader() {
        application
                .withPropertyValues("distributed-scheduler.jobs.never.must-succeed-every=30d")
                .run(context -> {
                    SchedulerHealthIndicator health = context.getBean(SchedulerHealthIndicator.class);
                    await().untilAsserted(() ->
                            assertThat(health.health().getDetails()).containsEntry("leads", true));
                    await().untilAsserted(() ->
                            assertThat(health.health().getStatus()).isEqualTo(Status.UP));
                    assertThat(health.health().getDetails()).containsKeys("node", "term", "database", "sinceHeartbeat");
                });
    }

    @Test
    void stuckRunIsFoundThroughTheApiAndTheMeter() {
        // without a leader that would take it back at once
        application
                .withPropertyValues("distributed-scheduler.dispatch.enabled=false")
                .run(context -> {
                    jdbc.sql("""
                            insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts, token, node_id,
                                                       claimed_at)
                            values ('elsewhere', 'elsewhere', 'RUNNING', 0, now(), now(), 3, 0, gen_random_uuid(), now())
                            """).update();

                    List<StuckRun> stuck = context.getBean(Runs.class).stuck();

                    assertThat(stuck)
                            .singleElement()
                            .satisfies(run -> assertThat(run.reason()).isEqualTo(StuckRun.Reason.NODE_LATE));
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    await().untilAsserted(() -> assertThat(registry.get("scheduler.run.stuck")
                                    .tag("reason", "NODE_LATE")
                                    .gauge()
                                    .value())
                            .isEqualTo(1));
                });
    }

    @Test
    void promiseBeyondTheHistoryIsRefused() {
        application
                .withPropertyValues("distributed-scheduler.jobs.never.must-succeed-every=100d")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("'never' must succeed every PT2400H"));
    }

    @Test
    void backsOffWithoutMicrometerAndHealth() {
        ObservedApplication.unobserved(database)
                .withClassLoader(
                        new FilteredClassLoader("io.micrometer", "org.springframework.boot.health.contributor"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean("schedulerMeters");
                    assertThat(context)
                            .doesNotHaveBean("schedulerHealthIndicator")
                            .doesNotHaveBean("schedulerAttemptObservations");
                });
    }

    @Test
    void backsOffWhenSwitchedOff() {
        application
                .withPropertyValues(
                        "distributed-scheduler.metrics.enabled=false",
                        "distributed-scheduler.metrics.observations=false",
                        "management.health.scheduler.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(SchedulerMeters.class);
                    assertThat(context)
                            .doesNotHaveBean(SchedulerHealthIndicator.class)
                            .doesNotHaveBean(ObservedAttempts.class)
                            .doesNotHaveBean(ObservedEnqueues.class);
                    await().atMost(Duration.ofSeconds(10))
                            .until(() -> jdbc.sql("select count(*) from scheduler.execution")
                                            .query(Long.class)
                                            .single()
                                    > 0);
                });
    }
}
