package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a tick while a run of its schedule is live. */
@PostgresTest
@Timeout(60)
class OverlapIntegrationTests {

    private static final Dispatched ONE_RUN = new Dispatched(Map.of("slow", 1), 0);
    private static final Dispatched ONE_SKIPPED = new Dispatched(Map.of(), 1);

    private final DataSource dataSource;
    private TestTables tables;
    private Admission admission;

    OverlapIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void job() {
        tables = new TestTables(dataSource);
        admission = new Admission(tables.database());
        declareJob(null);
    }

    private void declareJob(Integer maxConcurrent) {
        JobDefinition job = JobDefinition.of("job", run -> {}).withQueue("slow");
        new JobStore(tables.database()).declare(List.of(job.with(job.policy().withMaxConcurrent(maxConcurrent))), 1);
    }

    private void schedule(Overlap overlap, Integer most) {
        SchedulePolicy policy = new SchedulePolicy(Misfire.REPLAY_ALL, null, overlap, most);
        new ScheduleStore(tables.database())
                .declare(
                        List.of(new Schedule("often", "job", new FixedRateTrigger(Duration.ofSeconds(10)))
                                .with(policy)),
                        1);
    }

    /** A tick is due that none was before. */
    private Dispatched nextTick() {
        tables.execute("update scheduler.schedule set last_tick_at = null, next_tick_at = now()");
        return TestTicks.dispatch(tables.database());
    }

    /** Three ticks of one plan. */
    private Dispatched threeTicks() {
        tables.execute(
                "update scheduler.schedule set last_tick_at = null, next_tick_at = now() - interval '25 seconds'");
        return TestTicks.dispatch(tables.database());
    }

    private List<String> runs() {
        return tables.texts("select concat_ws(' ', state, blocked_by) from scheduler.run order by tick_at");
    }

    private void finishOne() {
        tables.execute("""
                delete from scheduler.run
                where id = (select id from scheduler.run where state = 'READY' order by place, id limit 1)
                """);
    }

    @Test
    void tickIsSkippedAndRecordedWhileItsPredecessorIsLive() {
        schedule(Overlap.SKIP, null);
        assertThat(nextTick()).isEqualTo(ONE_RUN);

        assertThat(nextTick()).isEqualTo(ONE_SKIPPED);

        Instant tick = tables.instant("select last_tick_at from scheduler.schedule");
        assertThat(runs()).containsExactly("READY");
        assertThat(tables.instant("select tick_at from scheduler.execution")).isEqualTo(tick);
        assertThat(tables.text("""
                select concat_ws('|', job, queue, outcome, error_type, error_message, tick_until, run_id, run_at = tick_at)
                from scheduler.execution
                """)).isEqualTo("job|slow|SKIPPED|overlap|the run of an earlier tick was still live|t");
        assertThat(tables.instant("select next_tick_at from scheduler.schedule"))
                .isEqualTo(tick.plusSeconds(10));
    }

    @Test
    void tickIsNotSkippedOnceItsPredecessorHasEnded() {
        schedule(Overlap.SKIP, null);
        nextTick();
        finishOne();

        assertThat(nextTick()).isEqualTo(ONE_RUN);

        assertThat(runs()).containsExactly("READY");
    }

    @Test
    void runThatWaitsToBeTriedAgainIsLive() {
        schedule(Overlap.SKIP, null);
        nextTick();
        tables.execute("update scheduler.run set state = 'SCHEDULED', run_at = now() + interval '1 hour'");

        assertThat(nextTick()).isEqualTo(ONE_SKIPPED);
    }

    @Test
    void tickWaitsForALiveReplayInsteadOfBeingSkipped() {
        schedule(Overlap.SKIP, null);
        nextTick();
        tables.execute("update scheduler.run set replayed = true");

        assertThat(nextTick()).isEqualTo(ONE_RUN);
        assertThat(runs()).containsExactly("READY", "BLOCKED KEY");

        assertThat(nextTick()).isEqualTo(ONE_SKIPPED); // the one that waits is no replay
    }

    @ParameterizedTest
    @EnumSource(
            value = Overlap.class,
            names = {"SKIP", "QUEUE"})
    void ticksOfOnePlanAreRunOneAtATimeAndInOrder(Overlap overlap) {
        schedule(overlap, null);

        assertThat(threeTicks()).isEqualTo(new Dispatched(Map.of("slow", 3), 0));

        assertThat(runs()).containsExactly("READY", "BLOCKED KEY", "BLOCKED KEY");
        assertThat(tables.texts("""
                select distinct r.key_limit || ' ' || (r.concurrency_key = 'schedule:' || s.id)
                from scheduler.run r join scheduler.schedule s on s.id = r.schedule_id
                """)).containsExactly("1 true");
        assertThat(admission.admit()).isZero();
        finishOne();
        assertThat(admission.admit()).isOne();
        assertThat(runs()).containsExactly("READY", "BLOCKED KEY");
    }

    @Test
    void tickWaitsInLineBehindALiveRun() {
        schedule(Overlap.QUEUE, null);
        nextTick();

        assertThat(nextTick()).isEqualTo(ONE_RUN);
        assertThat(nextTick()).isEqualTo(ONE_RUN);

        assertThat(runs()).containsExactly("READY", "BLOCKED KEY", "BLOCKED KEY");
        assertThat(tables.count("select count(*) from scheduler.execution")).isZero();
    }

    @Test
    void runsMayOverlapWithoutLimit() {
        schedule(Overlap.ALLOW, null);
        nextTick();

        assertThat(threeTicks()).isEqualTo(new Dispatched(Map.of("slow", 3), 0));

        assertThat(runs()).containsExactly("READY", "READY", "READY", "READY");
        assertThat(tables.count("select count(*) from scheduler.run where concurrency_key is not null"))
                .isZero();
    }

    @Test
    void runsMayOverlapUpToALimit() {
        schedule(Overlap.ALLOW, 2);
        assertThat(threeTicks()).isEqualTo(new Dispatched(Map.of("slow", 3), 0));
        assertThat(runs()).containsExactly("READY", "READY", "BLOCKED KEY");

        assertThat(nextTick()).isEqualTo(ONE_RUN);

        assertThat(runs()).containsExactly("READY", "READY", "BLOCKED KEY", "BLOCKED KEY");
        finishOne();
        assertThat(admission.admit()).isOne();
        assertThat(runs()).containsExactly("READY", "READY", "BLOCKED KEY");
    }

    @Test
    void limitOfTheJobHoldsToo() {
        declareJob(1);
        schedule(Overlap.QUEUE, null);
        assertThat(threeTicks()).isEqualTo(new Dispatched(Map.of("slow", 3), 0));

        assertThat(runs()).containsExactly("BLOCKED JOB", "BLOCKED KEY", "BLOCKED KEY");
        assertThat(admission.admit()).isOne();

        assertThat(runs()).containsExactly("READY", "BLOCKED KEY", "BLOCKED KEY");
    }

    @Test
    void endOfARunLetsTheNextOnePass() {
        schedule(Overlap.QUEUE, null);
        nextTick();
        nextTick();
        RunQueue queue = new RunQueue(tables.database());
        List<FinishedAttempt> done = queue.claim(tables.node("job"), "slow", List.of("job"), 5).stream()
                .map(run -> FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO))
                .toList();

        assertThat(new RunHistory(tables.database()).complete(done)).hasSize(1);

        assertThat(admission.admit()).isOne();
        assertThat(runs()).containsExactly("READY");
    }

    @Test
    void schedulesDoNotWaitForEachOther() {
        schedule(Overlap.QUEUE, null);
        nextTick();
        new ScheduleStore(tables.database())
                .declare(List.of(new Schedule("other", "job", new FixedRateTrigger(Duration.ofHours(1)))), 1);

        assertThat(TestTicks.dispatch(tables.database())).isEqualTo(ONE_RUN);

        assertThat(runs()).containsExactly("READY", "READY");
    }
}
