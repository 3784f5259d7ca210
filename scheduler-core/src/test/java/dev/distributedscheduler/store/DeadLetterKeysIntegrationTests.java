package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One live run per idempotency key, whatever is replayed. */
@PostgresTest
@Timeout(60)
class DeadLetterKeysIntegrationTests {

    private static final DeadLetterFilter ALL = DeadLetterFilter.ALL;
    private static final EnqueueOptions KEYED = EnqueueOptions.NONE.idempotencyKey("k");

    private final DataSource dataSource;
    private TestTables tables;
    private DeadLetterStore letters;
    private DeadLetterSearch search;
    private RunHistory history;

    DeadLetterKeysIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noLetters() {
        tables = new TestTables(dataSource);
        letters = new DeadLetterStore(tables.database());
        search = new DeadLetterSearch(tables.database());
        history = new RunHistory(tables.database());
        new JobStore(tables.database()).declare(List.of(JobDefinition.of("job", run -> {})), 1);
    }

    private static EnqueuedRun enqueue(Database database, EnqueueOptions options) {
        return new Enqueuing(database)
                .enqueue(List.of(new NewRun("job", null, options)))
                .get(0);
    }

    private EnqueuedRun enqueue(EnqueueOptions options) {
        return enqueue(tables.database(), options);
    }

    private long dead(EnqueueOptions options) {
        ClaimedRun run = claim(enqueue(options));
        history.fail(List.of(new FinishedAttempt(run, Outcome.FAILED, null, null, null, null)));
        return run.id();
    }

    private ClaimedRun claim(EnqueuedRun enqueued) {
        ClaimedRun run = tables.claim("job");
        assertThat(run.id()).isEqualTo(enqueued.id());
        return run;
    }

    private void complete(ClaimedRun run) {
        history.complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
    }

    @Test
    void replayedRunHasItsKeyAgain() {
        long id = dead(KEYED);

        assertThat(letters.replay(id)).isEqualTo(Replay.REPLAYED);

        assertThat(enqueue(KEYED)).isEqualTo(new EnqueuedRun(id, false));
        complete(tables.claim("job"));
        assertThat(enqueue(KEYED).isNew()).isTrue();
    }

    @Test
    void replayedRunReservesItsKeyForTheWindowItWasEnqueuedWith() {
        long id = dead(KEYED.deduplicateFor(Duration.ofHours(1)));
        letters.replay(id);
        complete(tables.claim("job"));

        assertThat(enqueue(KEYED)).isEqualTo(new EnqueuedRun(id, false));
    }

    @Test
    void letterWhoseKeyALiveRunHasStaysDead() {
        long id = dead(KEYED);
        ClaimedRun other = claim(enqueue(KEYED));

        assertThat(letters.replay(id)).isEqualTo(Replay.KEY_TAKEN);
        assertThat(letters.replayAll(ALL, 10)).isZero();
        assertThat(search.find(id)).isPresent();
        assertThat(tables.count("select count(*) from scheduler.run")).isOne();

        complete(other);
        assertThat(letters.replay(id)).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void letterWhoseKeyIsReservedStaysDeadUntilTheWindowIsOver() {
        long id = dead(KEYED);
        complete(claim(enqueue(KEYED.deduplicateFor(Duration.ofHours(1)))));
        assertThat(letters.replay(id)).isEqualTo(Replay.KEY_TAKEN);
        assertThat(letters.replayAll(ALL, 10)).isZero();

        tables.execute("update scheduler.idempotency set reserved_until = now()");

        assertThat(letters.replay(id)).isEqualTo(Replay.REPLAYED);
        assertThat(tables.count("select run_id from scheduler.idempotency where reserved_until = 'infinity'"))
                .isEqualTo(id);
    }

    @Test
    void bulkTakesOverAKeyWhoseWindowIsOver() {
        long id = dead(KEYED);
        complete(claim(enqueue(KEYED.deduplicateFor(Duration.ZERO))));

        assertThat(letters.replayAll(ALL, 10)).isOne();
        assertThat(enqueue(KEYED)).isEqualTo(new EnqueuedRun(id, false));
    }

    @Test
    void newestOfSeveralLettersWithOneKeyIsReplayed() {
        dead(KEYED);
        dead(KEYED);
        long newest = dead(KEYED);

        assertThat(letters.replayAll(ALL, 10)).isOne();

        assertThat(tables.count("select id from scheduler.run")).isEqualTo(newest);
        assertThat(search.count(ALL)).isEqualTo(2);
    }

    @Test
    void lettersWithTakenKeysDoNotKeepOthersFromTheirTurn() {
        long free = dead(EnqueueOptions.NONE);
        dead(KEYED);
        enqueue(KEYED);

        assertThat(letters.replayAll(ALL, 1)).isOne();
        assertThat(search.find(free)).isEmpty();
    }

    @Test
    void replayWaitsForAnEnqueueOfTheSameKey() throws Exception {
        long id = dead(KEYED);
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            assertThat(enqueue(other.database(), KEYED).isNew()).isTrue();
            CompletableFuture<Replay> replay = CompletableFuture.supplyAsync(() -> letters.replay(id));
            tables.awaitWaiter();
            other.commit();

            assertThat(replay.join()).isEqualTo(Replay.KEY_TAKEN);
        }
        assertThat(search.find(id)).isPresent();
    }

    @Test
    void bulkReplayWaitsForAnEnqueueOfTheSameKey() throws Exception {
        long id = dead(KEYED);
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            enqueue(other.database(), KEYED);
            CompletableFuture<Integer> replay = CompletableFuture.supplyAsync(() -> letters.replayAll(ALL, 10));
            tables.awaitWaiter();
            other.commit();

            assertThat(replay.join()).isZero();
        }
        assertThat(search.find(id)).isPresent();
    }

    @Test
    void enqueueWaitsForAReplayOfTheSameKey() throws Exception {
        long id = dead(KEYED);
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            new DeadLetterStore(other.database()).replay(id);
            CompletableFuture<EnqueuedRun> enqueued = CompletableFuture.supplyAsync(() -> enqueue(KEYED));
            tables.awaitWaiter();
            other.commit();

            assertThat(enqueued.join()).isEqualTo(new EnqueuedRun(id, false));
        }
    }

    @Test
    void refusedReplayInAnOpenTransactionDoesNotHoldUpTheEndOfTheOtherRun() throws Exception {
        long id = dead(KEYED);
        ClaimedRun other = claim(enqueue(KEYED));
        try (OpenTransaction open = new OpenTransaction(dataSource)) {
            assertThat(new DeadLetterStore(open.database()).replay(id)).isEqualTo(Replay.KEY_TAKEN);

            complete(other);
        }
        assertThat(tables.count("select count(*) from scheduler.idempotency")).isZero();
    }
}
