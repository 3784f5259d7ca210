package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Schedule.Work;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@PostgresTest
class DeclaringIntegrationTests {

    private static final JobDefinition JOB = JobDefinition.of("job", run -> {});
    private static final Schedule HOURLY = new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(1)));

    private final DataSource dataSource;
    private TestTables tables;
    private Declaring declaring;

    DeclaringIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void identify() {
        tables = new TestTables(dataSource);
        declaring = declaring("1", JOB, HOURLY);
        declaring.identify();
    }

    @AfterEach
    void close() {
        declaring.close();
    }

    private Declaring declaring(String version, JobDefinition job, Schedule schedule) {
        return new Declaring(
                new Declarations(new JobRegistry(List.of(job)), List.of(schedule)), version, tables.database());
    }

    private long deployment(Declaring other) {
        other.identify();
        return other.declared(false).deployment();
    }

    private String expression() {
        return tables.text("select trigger_expression from scheduler.schedule");
    }

    private void declareNewer(UUID node) {
        ScheduleStore schedules = new ScheduleStore(tables.database());
        Declared declared = new Declared(false, schedules.deployment("newer"), Set.of("report"));
        new NodeStore(tables.database())
                .register(new Node(node, "newer", "2", false, false, Set.of(), declared), TestTables.HOUR);
        schedules.declare(
                List.of(new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(2)))),
                declared.deployment());
    }

    /** It has met the newer one only when it declared: its own heartbeats know of no other than itself. */
    @Test
    void declaresAgainWhenTheNewerDeploymentLeftBeforeTheFirstHeartbeat() {
        UUID newer = UUID.randomUUID();
        declareNewer(newer);
        declaring.start();
        assertThat(expression()).isEqualTo("PT2H");

        new NodeStore(tables.database()).deregister(newer);
        declaring.newestDeployment(declaring.declared(false).deployment());

        await().untilAsserted(() -> assertThat(expression()).isEqualTo("PT1H"));
    }

    @Test
    void declaresAgainOnlyWhenTheNewestDeploymentIsAnother() {
        long own = declaring.declared(false).deployment();
        declaring.start();
        declaring.newestDeployment(own);
        await().until(() -> tables.count("select count(*) from scheduler.schedule") == 1);
        tables.execute("update scheduler.schedule set trigger_expression = 'PT9H'");

        declaring.newestDeployment(own);
        declaring.newestDeployment(own + 1);

        await().untilAsserted(() -> assertThat(expression()).isEqualTo("PT1H"));
    }

    @Test
    void sameDeclarationsAreTheSameDeployment() {
        Declared declared = declaring.declared(false);

        assertThat(deployment(declaring("1", JOB, HOURLY))).isEqualTo(declared.deployment());
        assertThat(declared.schedules()).containsExactly("report");
    }

    static Stream<Schedule> changes() {
        SchedulePolicy policy = SchedulePolicy.DEFAULT;
        CronTrigger cron = CronTrigger.of("0 30 2 * * *", "Europe/Paris");
        return Stream.of(
                new Schedule("other", "job", new FixedRateTrigger(Duration.ofHours(1))),
                new Schedule("report", "other", new FixedRateTrigger(Duration.ofHours(1))),
                new Schedule("report", "job", null),
                new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(2))),
                new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(1)), Duration.ofSeconds(1)),
                HOURLY.with(policy.with(Overlap.QUEUE)),
                HOURLY.with(policy.with(Misfire.SKIP)),
                with(new Timing(HOURLY.timing().trigger(), Duration.ofSeconds(1), null, null), Work.OF_THE_JOB),
                with(new Timing(HOURLY.timing().trigger(), Duration.ZERO, Instant.EPOCH, null), Work.OF_THE_JOB),
                with(new Timing(HOURLY.timing().trigger(), Duration.ZERO, null, Instant.MAX), Work.OF_THE_JOB),
                with(HOURLY.timing(), new Work("payload", null, null)),
                with(HOURLY.timing(), new Work(null, "queue", null)),
                with(HOURLY.timing(), new Work(null, null, Priority.HIGH)),
                with(Timing.of(cron), Work.OF_THE_JOB),
                with(
                        Timing.of(new CronTrigger(cron.cron(), cron.zoneId(), DstGap.SKIP, DstOverlap.ONCE)),
                        Work.OF_THE_JOB),
                with(
                        Timing.of(new CronTrigger(cron.cron(), cron.zoneId(), DstGap.RUN_AFTER, DstOverlap.TWICE)),
                        Work.OF_THE_JOB));
    }

    private static Schedule with(Timing timing, Work work) {
        return new Schedule(HOURLY.key(), HOURLY.job(), timing, Duration.ZERO, HOURLY.policy(), work);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void whateverIsChangedMakesAnotherDeployment(Schedule changed) {
        List<Long> others = changes()
                .filter(other -> !other.equals(changed))
                .map(other -> deployment(declaring("1", JOB, other)))
                .toList();

        assertThat(deployment(declaring("1", JOB, changed)))
                .isNotEqualTo(declaring.declared(false).deployment())
                .isNotIn(others);
    }

    @Test
    void versionAndJobsMakeAnotherDeploymentToo() {
        long own = declaring.declared(false).deployment();

        assertThat(deployment(declaring("2", JOB, HOURLY))).isNotEqualTo(own);
        assertThat(deployment(declaring(null, JOB, HOURLY))).isNotEqualTo(own);
        assertThat(deployment(declaring("1", JOB.withMaxAttempts(9), HOURLY))).isNotEqualTo(own);
        assertThat(deployment(declaring("1", JOB.withQueue("slow"), HOURLY))).isNotEqualTo(own);
    }
}
