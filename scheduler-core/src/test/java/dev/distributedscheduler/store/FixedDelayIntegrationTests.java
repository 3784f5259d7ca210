package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One run at a time, and whatever ends it sets the next tick. */
@PostgresTest
class FixedDelayIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunHistory history;
    private ClaimedRun run;

    FixedDelayIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void firstRun() {
        tables = new TestTables(dataSource);
        history = new RunHistory(tables.database());
        JobDefinition job = JobDefinition.of("job", run -> {}).withMaxAttempts(2);
        new JobStore(tables.database()).declare(List.of(job), 1);
        declare(new FixedDelayTrigger(Duration.ofSeconds(90)));
        assertThat(TestTicks.enqueueDue(tables)).isEqualTo(1);
        run = tables.claim("job");
    }

    private void declare(Trigger trigger) {
        new ScheduleStore(tables.database()).declare(List.of(new Schedule("delayed", "job", trigger)), 1);
    }

    private void complete(ClaimedRun ended) {
        assertThat(history.complete(List.of(FinishedAttempt.completed(ended, Duration.ZERO, Duration.ZERO))))
                .hasSize(1);
    }

    private RunState lose(ClaimedRun ended) {
        return history.fail(List.of(FinishedAttempt.lost(ended))).get(ended.token());
    }

    private boolean hasNextTick() {
        return tables.count("select count(next_tick_at) from scheduler.schedule") == 1;
    }

    private Instant nextTick() {
        return tables.instant("select next_tick_at from scheduler.schedule");
    }

    private void setTheClockBack() {
        tables.execute("update scheduler.schedule set last_tick_at = now() + interval '1 hour'");
    }

    private boolean nextTickIsJustAfterTheLast() {
        return tables.text("""
                select next_tick_at = last_tick_at + interval '1 microsecond' from scheduler.schedule
                """).equals("t");
    }

    @Test
    void scheduleThatWasOffForAWhileStillWaitsForItsLiveRun() {
        declare(null);
        declare(new FixedDelayTrigger(Duration.ofSeconds(90)));

        assertThat(hasNextTick()).isFalse();
        complete(run);
        assertThat(hasNextTick()).isTrue();
    }

    @Test
    void scheduleWhoseRunVanishedIsRevived() {
        DueTicks ticks = new DueTicks(tables.database());
        assertThat(ticks.revive()).isZero();

        tables.execute("delete from scheduler.run");

        assertThat(ticks.revive()).isOne();
        assertThat(TestTicks.enqueueDue(tables)).isOne();
    }

    @Test
    void endOfARunSetsTheNextTick() {
        assertThat(hasNextTick()).isFalse();

        Instant before = tables.now();
        complete(run);

        assertThat(nextTick()).isBetween(before.plusSeconds(90), tables.now().plusSeconds(90));
    }

    @Test
    void deathSetsTheNextTickButARetryDoesNot() {
        assertThat(lose(run)).isEqualTo(RunState.READY);
        assertThat(hasNextTick()).isFalse();

        assertThat(lose(tables.claim("job"))).isEqualTo(RunState.DEAD);
        assertThat(hasNextTick()).isTrue();
    }

    /** A dead run and, in the hands of a node, the one of the next tick. */
    private ClaimedRun successorOfADeadRun() {
        lose(run);
        lose(tables.claim("job"));
        tables.execute("update scheduler.schedule set next_tick_at = now()");
        TestTicks.enqueueDue(tables);
        return tables.claim("job");
    }

    @Test
    void replayedRunWaitsForItsSuccessorAndThenSetsTheNextTick() {
        ClaimedRun successor = successorOfADeadRun();
        new DeadLetterStore(tables.database()).replay(run.id());
        Admission admission = new Admission(tables.database());
        assertThat(admission.admit()).isZero();

        complete(successor);
        assertThat(hasNextTick()).isFalse();

        assertThat(admission.admit()).isOne();
        complete(tables.claim("job"));
        assertThat(hasNextTick()).isTrue();
    }

    @Test
    void replayedRunDoesNotSetTheNextTickWhileItsSuccessorLives() {
        ClaimedRun successor = successorOfADeadRun();
        tables.execute("update scheduler.dead_letter set concurrency_key = null, key_limit = null"); // may overlap
        new DeadLetterStore(tables.database()).replay(run.id());

        complete(tables.claim("job"));
        assertThat(hasNextTick()).isFalse();

        complete(successor);
        assertThat(hasNextTick()).isTrue();
    }

    @Test
    void runCompletesAlthoughTheClockWasSetBack() {
        setTheClockBack();

        complete(run);

        assertThat(nextTickIsJustAfterTheLast()).isTrue();
    }

    @Test
    void runDiesAlthoughTheClockWasSetBack() {
        setTheClockBack();

        lose(run);
        assertThat(lose(tables.claim("job"))).isEqualTo(RunState.DEAD);

        assertThat(nextTickIsJustAfterTheLast()).isTrue();
    }

    /** The leader, not the worker, finds it unreadable; see the tests of the due ticks. */
    @Test
    void runEndsAlthoughTheExpressionIsUnreadable() {
        tables.execute("update scheduler.schedule set trigger_expression = 'soon'");

        complete(run);

        assertThat(nextTick()).isAfter(tables.now().plusSeconds(60));
    }

    @Test
    void changedDelayCountsFromTheEndOfTheLiveRun() {
        declare(new FixedDelayTrigger(Duration.ofHours(2)));
        assertThat(hasNextTick()).isFalse();

        complete(run);

        assertThat(nextTick()).isAfter(tables.now().plus(Duration.ofMinutes(119)));
    }

    @Test
    void anotherKindOfTriggerDoesNotWaitForTheLiveRun() {
        declare(new FixedRateTrigger(Duration.ofHours(2)));
        Instant next = nextTick();

        complete(run);

        assertThat(nextTick()).isEqualTo(next);
    }
}
