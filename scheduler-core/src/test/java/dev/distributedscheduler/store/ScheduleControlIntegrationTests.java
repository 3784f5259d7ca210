package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Schedule.Work;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people do to a schedule: pause, resume, trigger, delete. */
@PostgresTest
@Timeout(60)
class ScheduleControlIntegrationTests {

    private static final ScheduleKey KEY = new ScheduleKey("tenant-7", "report");
    private static final Duration PERIOD = Duration.ofMinutes(10);

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;
    private ScheduleControl control;

    ScheduleControlIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void schedule() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
        control = new ScheduleControl(tables.database());
        register(SchedulePolicy.DEFAULT);
    }

    private void register(SchedulePolicy policy) {
        schedules.register(List.of(new Schedule(
                KEY,
                "job",
                Timing.of(new FixedRateTrigger(PERIOD)),
                Duration.ZERO,
                policy,
                new Work("own", null, null))));
    }

    private String state() {
        return tables.text("select concat_ws('|', state, state_reason, changed_by) from scheduler.schedule");
    }

    private long runs() {
        return tables.count("select count(*) from scheduler.run");
    }

    /** Paused right before the tick of an hour and a half ago, with all that was due since. */
    private void pauseForLong() {
        control.pause(KEY, null, null);
        tables.execute("""
                update scheduler.schedule
                set next_tick_at = now() - interval '89 minutes', paused_at = now() - interval '90 minutes'
                """);
    }

    private List<String> skipped() {
        return tables.texts("""
                select concat_ws('|', error_type, error_message, round(extract(epoch from now() - tick_at) / 60),
                                 round(extract(epoch from now() - tick_until) / 60))
                from scheduler.execution where outcome = 'SKIPPED' order by tick_at
                """);
    }

    @Test
    void pausedScheduleSaysWhyAndByWhomAndHasNoTicks() {
        assertThat(control.pause(KEY, "maintenance", "ann")).isTrue();
        assertThat(control.pause(KEY, "again", "bob")).isFalse();

        assertThat(state()).isEqualTo("PAUSED|maintenance|ann");
        assertThat(TestTicks.enqueueDue(tables)).isZero();
    }

    @Test
    void resumedScheduleTicksAgain() {
        control.pause(KEY, "maintenance", "ann");

        assertThat(control.resume(KEY, "bob")).isTrue();
        assertThat(control.resume(KEY, "eve")).isFalse();

        assertThat(state()).isEqualTo("ACTIVE|bob");
        assertThat(TestTicks.enqueueDue(tables)).isOne();
    }

    @Test
    void unknownScheduleIsLeftAlone() {
        ScheduleKey other = new ScheduleKey("tenant-8", "report");

        assertThat(control.pause(other, null, null)).isFalse();
        assertThat(control.resume(other, null)).isFalse();
        assertThat(control.trigger(other, false, null)).isEmpty();
        assertThat(control.delete(other)).isFalse();
        assertThat(state()).isEqualTo("ACTIVE");
    }

    @Test
    void ticksOfAPauseAreMadeUpForWithinTheGrace() {
        pauseForLong();

        control.resume(KEY, null);
        assertThat(TestTicks.enqueueDue(tables)).isZero();

        assertThat(skipped()).containsExactly("paused|the schedule was paused|89|60");
        assertThat(tables.text("""
                select round(extract(epoch from now() - lower(missed)) / 60) from scheduler.schedule
                """)).isEqualTo("59");
    }

    @Test
    void ticksOfAPauseAreSkippedWhereThatIsThePolicy() {
        register(SchedulePolicy.DEFAULT.with(Misfire.SKIP));
        pauseForLong();

        control.resume(KEY, null);
        assertThat(TestTicks.enqueueDue(tables)).isZero();

        assertThat(skipped())
                .containsExactly("paused|the schedule was paused|89|60", "paused|the schedule was paused|59|1");
        assertThat(tables.count(
                        "select count(*) from scheduler.schedule where isempty(missed) and next_tick_at > now()"))
                .isOne();
    }

    @Test
    void onlyTheLatestTickOfAPauseIsMadeUpForWhereThatIsThePolicy() {
        register(SchedulePolicy.DEFAULT.with(Misfire.REPLAY_LATEST));
        pauseForLong();

        control.resume(KEY, null);
        TestTicks.enqueueDue(tables);

        assertThat(skipped())
                .containsExactly("paused|the schedule was paused|89|60", "paused|the schedule was paused|59|9");
        assertThat(tables.text("""
                select round(extract(epoch from now() - lower(missed)) / 60) from scheduler.schedule
                """)).isEqualTo("9");
    }

    @Test
    void ticksThatWereSkippedForAnotherReasonAreNotBlamedOnAPauseOfThePast() {
        register(SchedulePolicy.DEFAULT.with(Misfire.SKIP));
        control.pause(KEY, null, null);
        control.resume(KEY, null);
        tables.execute(
                "update scheduler.schedule set paused_at = now() - interval '3 hours', resumed_at = now() - interval '2 hours'");
        tables.execute("update scheduler.schedule set next_tick_at = now() - interval '9 minutes'");

        TestTicks.enqueueDue(tables);

        assertThat(skipped()).containsExactly("misfire|it was missed, and not to be made up for|9|1");
    }

    @Test
    void failureIsNoPause() {
        register(SchedulePolicy.DEFAULT.with(Misfire.SKIP));
        control.pause(KEY, null, null);
        control.resume(KEY, null);
        tables.execute("""
                update scheduler.schedule
                set paused_at = now() - interval '3 hours', resumed_at = now() - interval '2 hours', state = 'FAILED',
                    next_tick_at = now() - interval '9 minutes'
                """);

        assertThat(control.resume(KEY, "ann")).isTrue();
        TestTicks.enqueueDue(tables);

        assertThat(skipped()).containsExactly("misfire|it was missed, and not to be made up for|9|1");
    }

    @Test
    void scheduleThatHasNoTickLeftEndsWhenItIsResumed() {
        control.pause(KEY, null, null);
        tables.execute("update scheduler.schedule set next_tick_at = null");

        assertThat(control.resume(KEY, null)).isTrue();

        assertThat(state()).isEqualTo("ENDED");
    }

    @Test
    void triggeredRunIsOneMoreAndLeavesTheTicksAlone() {
        JobDefinition job = JobDefinition.of("job", run -> {}).withQueue("slow").withPriority(Priority.HIGH);
        new JobStore(tables.database()).declare(List.of(job.withMaxAttempts(3)), 1);
        Instant next = tables.instant("select next_tick_at from scheduler.schedule");
        Instant before = tables.now();

        long run = control.trigger(KEY, false, null).orElseThrow();

        assertThat(tables.text("""
                select concat_ws('|', id, job, queue, state, blocked_by, key_limit, priority, max_attempts, payload,
                                 run_at - place)
                from scheduler.run
                """)).isEqualTo(run + "|job|slow|BLOCKED|KEY|1|10|3|own|00:10:00");
        assertThat(tables.instant("select tick_at from scheduler.run")).isBetween(before, tables.now());
        assertThat(tables.instant("select next_tick_at from scheduler.schedule"))
                .isEqualTo(next);
        assertThat(new Admission(tables.database()).admit()).isOne();
    }

    @Test
    void triggeredRunMayHaveAnotherPayloadOrNone() {
        control.trigger(KEY, true, "other");
        control.trigger(KEY, true, null);

        assertThat(tables.texts("select coalesce(payload, 'none') from scheduler.run order by id"))
                .containsExactly("other", "none");
    }

    @Test
    void triggeredRunDoesNotWaitWhereRunsMayOverlap() {
        register(SchedulePolicy.DEFAULT.with(Overlap.ALLOW));
        control.trigger(KEY, false, null);
        control.trigger(KEY, false, null);

        assertThat(tables.texts("select concat_ws(' ', state, concurrency_key) from scheduler.run"))
                .containsExactly("READY", "READY");
    }

    @Test
    void triggeredRunPassesTheLimitOfOverlappingRuns() {
        register(new SchedulePolicy(Misfire.REPLAY_ALL, null, Overlap.ALLOW, 2));
        for (int i = 0; i < 3; i++) {
            control.trigger(KEY, false, null);
        }

        assertThat(new Admission(tables.database()).admit()).isEqualTo(2);
    }

    @Test
    void pausedScheduleCanBeTriggered() {
        control.pause(KEY, null, null);

        assertThat(control.trigger(KEY, false, null)).isPresent();
        assertThat(runs()).isOne();
    }

    @Test
    void liveRunsOfADeletedScheduleGoOn() {
        TestTicks.enqueueDue(tables);
        tables.execute("insert into scheduler.tenant values ('tenant-7', 1)");

        assertThat(control.delete(KEY)).isTrue();

        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
        assertThat(new TenantStore(tables.database()).schedules("tenant-7")).isZero();
        assertThat(runs()).isOne();
    }

    @Test
    void endedSchedulesAreForgottenAfterAWhile() {
        tables.execute("insert into scheduler.tenant values ('tenant-7', 1)");
        schedules.declare(List.of(new Schedule("declared", "job", new FixedRateTrigger(PERIOD))), 1);
        tables.execute("update scheduler.schedule set state = 'ENDED', updated_at = now() - interval '23 hours'");
        assertThat(control.forgetEnded(24, 100)).isZero();

        tables.execute("update scheduler.schedule set updated_at = now() - interval '25 hours'");

        assertThat(control.forgetEnded(24, 100)).isOne();
        assertThat(tables.texts("select name from scheduler.schedule")).containsExactly("declared");
        assertThat(new TenantStore(tables.database()).schedules("tenant-7")).isZero();
    }

    @Test
    void forgettingIsDoneInBatchesAndCountedByTenant() {
        tables.execute("""
                insert into scheduler.schedule (tenant, name, job, trigger_kind, trigger_expression, state, updated_at)
                select 'tenant-' || i % 2, 'once-' || i, 'job', 'ONCE', '2026-01-01T00:00:00Z', 'ENDED', now() - interval '2 days'
                from generate_series(1, 10) i
                """);
        tables.execute("insert into scheduler.tenant values ('tenant-0', 6), ('tenant-1', 5)");

        assertThat(control.forgetEnded(24, 8)).isEqualTo(8);
        assertThat(control.forgetEnded(24, 8)).isEqualTo(2);
        assertThat(control.forgetEnded(24, 8)).isZero();

        assertThat(tables.texts("select name || ' ' || schedules from scheduler.tenant order by name"))
                .containsExactly("tenant-0 1", "tenant-1 0");
    }
}
