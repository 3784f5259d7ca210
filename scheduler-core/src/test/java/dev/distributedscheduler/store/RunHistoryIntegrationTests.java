package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One accepted outcome per attempt, whoever comes late and in whatever order. */
@PostgresTest
@Timeout(30)
class RunHistoryIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunHistory history;

    RunHistoryIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyHistory() {
        tables = new TestTables(dataSource);
        history = new RunHistory(tables.database());
    }

    private static FinishedAttempt completed(ClaimedRun run) {
        return FinishedAttempt.completed(run, Duration.ofMillis(250), Duration.ofSeconds(2));
    }

    private static List<FinishedAttempt> lost(ClaimedRun run) {
        return List.of(FinishedAttempt.lost(run));
    }

    private List<String> outcomes() {
        return tables.texts("select outcome from scheduler.execution order by token, outcome");
    }

    private long liveRuns() {
        return tables.count("select count(*) from scheduler.run");
    }

    @Test
    void completedRunMovesToTheHistory() {
        ClaimedRun run = tables.running("job");

        assertThat(history.complete(List.of(completed(run)))).containsExactly(run.token());

        assertThat(liveRuns()).isZero();
        assertThat(outcomes()).containsExactly("COMPLETED");
        assertThat(tables.instant("select started_at from scheduler.execution"))
                .isEqualTo(run.claimedAt().plusMillis(250));
        assertThat(tables.instant("select finished_at from scheduler.execution"))
                .isEqualTo(run.claimedAt().plusMillis(2_250));
        assertThat(tables.text("select concat_ws(' ', run_id, attempt, token, node_id) from scheduler.execution"))
                .isEqualTo("%d 1 %d %s", run.id(), run.token(), run.nodeId());
    }

    @Test
    void queueAndHistoryChangeTogether() throws SQLException {
        ClaimedRun run = tables.running("job");
        try (OpenTransaction completion = new OpenTransaction(dataSource)) {
            new RunHistory(completion.database()).complete(List.of(completed(run)));

            assertThat(liveRuns()).isEqualTo(1);
            assertThat(outcomes()).isEmpty();

            completion.commit();
        }
        assertThat(liveRuns()).isZero();
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void completionThatIsNeverCommittedGivesTheRunFree() throws SQLException {
        ClaimedRun run = tables.running("job");
        try (OpenTransaction frozen = new OpenTransaction(dataSource)) {
            assertThat(new RunHistory(frozen.database()).completeInTransaction(completed(run), Duration.ofMillis(100)))
                    .isTrue();

            assertThat(history.fail(lost(run))).containsEntry(run.token(), RunState.READY); // waits for the run's row
        }
        assertThat(outcomes()).containsExactly("LOST");
    }

    @Test
    void assertedOwnershipThatIsNeverCommittedGivesTheRunFree() throws SQLException {
        ClaimedRun run = tables.running("job");
        try (OpenTransaction frozen = new OpenTransaction(dataSource)) {
            assertThat(new RunQueue(frozen.database()).owns(run, Duration.ofMillis(100)))
                    .isTrue();

            assertThat(history.fail(lost(run))).containsEntry(run.token(), RunState.READY); // waits for the run's row
        }
    }

    @Test
    void staleAttemptCannotComplete() {
        ClaimedRun first = tables.running("job");
        history.fail(lost(first));

        assertThat(history.complete(List.of(completed(first)))).isEmpty();
        assertThat(liveRuns()).isEqualTo(1);

        ClaimedRun second = tables.claim("job");
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(history.complete(List.of(completed(first)))).isEmpty();
        assertThat(history.fail(List.of(FinishedAttempt.lost(first)))).isEmpty();
        assertThat(tables.text("select state || token from scheduler.run")).isEqualTo("RUNNING" + second.token());
    }

    @Test
    void currentAttemptsOfAGroupAreCompletedAndStaleOnesAreNot() {
        ClaimedRun stale = tables.running("job");
        ClaimedRun current = tables.running("job");
        history.fail(lost(stale));

        assertThat(history.complete(List.of(completed(stale), completed(current))))
                .containsExactly(current.token());
    }

    @Test
    void completionUnderWayKeepsTheRescueAway() throws SQLException {
        ClaimedRun run = tables.running("job");
        new NodeStore(tables.database()).deregister(run.nodeId());
        try (OpenTransaction completion = new OpenTransaction(dataSource)) {
            assertThat(new RunHistory(completion.database()).complete(List.of(completed(run))))
                    .hasSize(1);

            assertThat(new RunQueue(tables.database()).lockRunsOfLostNodes(10)).isEmpty();
            CompletableFuture<Map<Long, RunState>> rescue =
                    CompletableFuture.supplyAsync(() -> history.fail(lost(run)));
            tables.awaitWaiter();
            completion.commit();

            assertThat(rescue.join()).isEmpty();
        }
        assertThat(outcomes()).containsExactly("COMPLETED");
        assertThat(liveRuns()).isZero();
    }

    @Test
    void rescueUnderWayRefusesTheCompletion() throws SQLException {
        ClaimedRun run = tables.running("job");
        new NodeStore(tables.database()).deregister(run.nodeId());
        try (OpenTransaction rescue = new OpenTransaction(dataSource)) {
            assertThat(new RunQueue(rescue.database()).lockRunsOfLostNodes(10)).containsExactly(run);
            CompletableFuture<Set<Long>> completion =
                    CompletableFuture.supplyAsync(() -> history.complete(List.of(completed(run))));
            tables.awaitWaiter();
            assertThat(new RunHistory(rescue.database()).fail(lost(run))).containsEntry(run.token(), RunState.READY);
            rescue.commit();

            assertThat(completion.join()).isEmpty();
        }
        assertThat(outcomes()).containsExactly("LOST");
        assertThat(tables.text("select state from scheduler.run")).isEqualTo("READY");
    }

    @Test
    void lateResultIsKeptOnce() {
        ClaimedRun run = tables.running("job");
        history.fail(lost(run));

        assertThat(history.recordStale(List.of(completed(run)))).containsExactly(run.token());
        assertThat(history.recordStale(List.of(completed(run)))).isEmpty();

        assertThat(outcomes()).containsExactly("LOST", "STALE");
        assertThat(tables.text("select error_type from scheduler.execution where outcome = 'STALE'"))
                .isEqualTo("COMPLETED");
    }

    @Test
    void writeRepeatedAfterALostReplyIsNotLate() {
        ClaimedRun run = tables.running("job");
        history.complete(List.of(completed(run)));

        assertThat(history.complete(List.of(completed(run)))).isEmpty();
        assertThat(history.recordStale(List.of(completed(run)))).isEmpty();
        assertThat(outcomes()).containsExactly("COMPLETED");
    }

    @Test
    void lateResultOfALaterAttemptIsKeptBesideTheEarlierOne() {
        ClaimedRun first = tables.running("job");
        history.fail(lost(first));
        history.recordStale(List.of(completed(first)));
        ClaimedRun second = tables.claim("job");
        history.fail(lost(second));

        assertThat(history.recordStale(List.of(completed(first), completed(second))))
                .containsExactly(second.token());
        assertThat(outcomes()).containsExactly("LOST", "STALE", "LOST", "STALE");
    }
}
