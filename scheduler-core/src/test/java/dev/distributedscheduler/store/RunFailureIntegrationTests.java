package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a run whose attempt did not succeed. */
@PostgresTest
class RunFailureIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunHistory history;

    RunFailureIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyHistory() {
        tables = new TestTables(dataSource);
        history = new RunHistory(tables.database());
    }

    private static FinishedAttempt failed(ClaimedRun run, Outcome outcome, Duration retryIn) {
        return new FinishedAttempt(
                run,
                outcome,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                retryIn,
                new Failure("SomeException", "no luck", "at here"));
    }

    private RunState fail(ClaimedRun run, Outcome outcome, Duration retryIn) {
        return history.fail(List.of(failed(run, outcome, retryIn))).get(run.token());
    }

    @Test
    void runWaitsForItsRetry() {
        ClaimedRun run = tables.running("job");
        Instant before = tables.now();

        assertThat(fail(run, Outcome.FAILED, Duration.ofMinutes(5))).isEqualTo(RunState.SCHEDULED);

        assertThat(tables.text("select concat_ws(' ', state, failures, attempt) from scheduler.run"))
                .isEqualTo("SCHEDULED 1 1");
        assertThat(tables.instant("select run_at from scheduler.run"))
                .isBetween(before.plusSeconds(300), tables.now().plusSeconds(300));
        assertThat(tables.text("select concat(token, node_id, claimed_at) from scheduler.run"))
                .isEmpty();
    }

    @Test
    void runWithoutAWaitIsInLineAtOnceBehindItsPriority() {
        tables.insert("job", "default", "READY", Priority.HIGH, Duration.ofHours(-5), 3);
        ClaimedRun run = tables.claim("job");

        assertThat(fail(run, Outcome.FAILED, Duration.ZERO)).isEqualTo(RunState.READY);

        assertThat(tables.count("select count(*) from scheduler.run where place = run_at - interval '10 minutes'"))
                .isEqualTo(1);
        assertThat(tables.count("select count(*) from scheduler.run where run_at > now() - interval '1 minute'"))
                .isEqualTo(1);
    }

    @Test
    void everyAttemptIsRecordedWithItsError() {
        ClaimedRun run = tables.running("job");

        fail(run, Outcome.TIMED_OUT, Duration.ZERO);

        assertThat(tables.text("""
                select concat_ws(' ', run_id, attempt, token, outcome, error_type, error_message, stack_trace)
                from scheduler.execution
                """))
                .isEqualTo("%d 1 %d TIMED_OUT SomeException no luck at here", run.id(), run.token());
    }

    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"FAILED", "TIMED_OUT", "LOST"})
    void runThatUsedUpItsAttemptsIsADeadLetter(Outcome outcome) {
        tables.insert("job", "default", "READY", Priority.LOW, Duration.ZERO, 2);
        assertThat(fail(tables.claim("job"), outcome, Duration.ZERO)).isEqualTo(RunState.READY);

        ClaimedRun last = tables.claim("job");
        assertThat(fail(last, outcome, Duration.ZERO)).isEqualTo(RunState.DEAD);

        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
        assertThat(tables.texts("""
                select concat_ws(' ', run_id, job, queue, priority, attempts, max_attempts, outcome, error_message)
                from scheduler.dead_letter
                """))
                .containsExactly("%d job default -10 2 2 %s no luck".formatted(last.id(), outcome));
        assertThat(tables.count("select count(*) from scheduler.execution")).isEqualTo(2);
    }

    @Test
    void interruptionCostsNoAttempt() {
        tables.insert("job", "default", "READY", Priority.NORMAL, Duration.ZERO, 1);

        for (int attempt = 1; attempt <= 3; attempt++) {
            ClaimedRun run = tables.claim("job");
            assertThat(run.attempt()).isEqualTo(attempt);
            assertThat(fail(run, Outcome.INTERRUPTED, Duration.ZERO)).isEqualTo(RunState.READY);
        }

        assertThat(tables.text("select failures from scheduler.run")).isEqualTo("0");
        assertThat(tables.texts("select outcome from scheduler.execution"))
                .containsExactly("INTERRUPTED", "INTERRUPTED", "INTERRUPTED");
    }

    @Test
    void groupIsSplitByWhatBecomesOfEach() {
        tables.insert("job", "default", "READY", Priority.NORMAL, Duration.ZERO, 1);
        ClaimedRun dying = tables.claim("job");
        ClaimedRun waiting = tables.running("job");
        ClaimedRun ready = tables.running("job");

        assertThat(history.fail(List.of(
                        failed(dying, Outcome.FAILED, Duration.ZERO),
                        failed(waiting, Outcome.FAILED, Duration.ofHours(1)),
                        failed(ready, Outcome.INTERRUPTED, Duration.ZERO))))
                .containsEntry(dying.token(), RunState.DEAD)
                .containsEntry(waiting.token(), RunState.SCHEDULED)
                .containsEntry(ready.token(), RunState.READY)
                .hasSize(3);
    }
}
