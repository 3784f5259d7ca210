package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever takes several idempotency keys, or gives up those whose time is over, never waits for another one in a circle.
 *
 * <p>The server reported deadlocks when enqueueing gave keys up in the order in which it was asked for them, and when a bulk
 * replay did so in the statement that takes the others.
 */
@PostgresTest
@Timeout(60)
class KeyLocksIntegrationTests {

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestTables tables;

    KeyLocksIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void job() {
        tables = new TestTables(dataSource);
        new JobStore(tables.database()).declare(List.of(JobDefinition.of("job", run -> {})), 1);
    }

    @AfterEach
    void close() {
        threads.shutdown();
    }

    private Map<Integer, EnqueuedRun> enqueue(String... keys) {
        return enqueue(tables.database(), keys);
    }

    private static Map<Integer, EnqueuedRun> enqueue(Database database, String... keys) {
        return new Enqueuing(database)
                .enqueue(Stream.of(keys)
                        .map(key -> new NewRun(
                                "job",
                                null,
                                EnqueueOptions.NONE.idempotencyKey(key).deduplicateFor(Duration.ZERO)))
                        .toList());
    }

    private void end(Outcome outcome) {
        ClaimedRun run = tables.claim("job");
        if (outcome == Outcome.COMPLETED) {
            new RunHistory(tables.database())
                    .complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
        } else {
            new RunHistory(tables.database()).fail(List.of(new FinishedAttempt(run, outcome, null, null, null, null)));
        }
    }

    private OpenTransaction hold(String key) throws SQLException {
        OpenTransaction holder = new OpenTransaction(dataSource);
        holder.database()
                .sql("select key from scheduler.idempotency where key = :key for update")
                .param("key", key)
                .query()
                .singleRow();
        return holder;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void bulksThatTakeOverExpiredKeysDoNotWaitInACircle(String held) throws SQLException {
        enqueue("a", "b");
        end(Outcome.COMPLETED);
        end(Outcome.COMPLETED);
        try (OpenTransaction holder = hold(held)) {
            CompletableFuture<Map<Integer, EnqueuedRun>> one =
                    CompletableFuture.supplyAsync(() -> enqueue("a", "b"), threads);
            tables.awaitWaiter();
            CompletableFuture<Map<Integer, EnqueuedRun>> other =
                    CompletableFuture.supplyAsync(() -> enqueue("b", "a"), threads);
            tables.awaitWaiters(2);

            holder.commit();

            assertThat(one.join()).hasSize(2);
            assertThat(other.join()).hasSize(2);
        }
        assertThat(tables.count("select count(*) from scheduler.run")).isEqualTo(2);
    }

    @Test
    void bulkReplayThatWaitsForAKeyHoldsUpNoEnqueueOfOthers() throws SQLException {
        enqueue("a", "b", "c");
        IntStream.range(0, 3).forEach(i -> end(Outcome.FAILED));
        enqueue("c");
        end(Outcome.COMPLETED);
        try (OpenTransaction holder = new OpenTransaction(dataSource)) {
            enqueue(holder.database(), "a");
            CompletableFuture<Integer> replay = CompletableFuture.supplyAsync(
                    () -> new DeadLetterStore(tables.database()).replayAll(DeadLetterFilter.ALL, 10), threads);
            tables.awaitWaiter();

            CompletableFuture<Map<Integer, EnqueuedRun>> enqueued =
                    CompletableFuture.supplyAsync(() -> enqueue("b", "c"), threads);
            assertThat(enqueued)
                    .succeedsWithin(TEN_SECONDS)
                    .satisfies(runs -> assertThat(runs.values()).allMatch(EnqueuedRun::isNew));
            holder.commit();

            assertThat(replay).succeedsWithin(TEN_SECONDS).isEqualTo(0);
        }
    }
}
