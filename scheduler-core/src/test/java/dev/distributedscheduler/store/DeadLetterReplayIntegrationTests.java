package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A new life for a dead run, and nobody else gets one by it. */
@PostgresTest
@Timeout(60)
class DeadLetterReplayIntegrationTests {

    private static final DeadLetterFilter ALL = DeadLetterFilter.ALL;

    private final DataSource dataSource;
    private TestTables tables;
    private DeadLetterStore letters;
    private DeadLetterSearch search;
    private RunHistory history;

    DeadLetterReplayIntegrationTests(DataSource dataSource) {
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

    private EnqueuedRun enqueue(EnqueueOptions options) {
        return new Enqueuing(tables.database())
                .enqueue(List.of(new NewRun("job", "1", options)))
                .get(0);
    }

    private static EnqueueOptions keyed() {
        return EnqueueOptions.NONE.idempotencyKey("k");
    }

    private void die(ClaimedRun run) {
        history.fail(List.of(
                new FinishedAttempt(run, Outcome.FAILED, null, null, null, new Failure("Error", "no luck", null))));
    }

    private void complete(ClaimedRun run) {
        assertThat(history.complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO))))
                .hasSize(1);
    }

    private long dead(EnqueueOptions options) {
        long id = enqueue(options).id();
        die(tables.claim("job"));
        assertThat(search.find(id)).isPresent();
        return id;
    }

    private void bury(int number) {
        tables.execute("""
                insert into scheduler.dead_letter
                    (run_id, job, queue, priority, attempts, max_attempts, outcome, created_at)
                select nextval('scheduler.run_id_seq'), 'job', 'default', 0, 3, 3, 'FAILED', now()
                from generate_series(1, %d)
                """.formatted(number));
    }

    private long liveRuns() {
        return tables.count("select count(*) from scheduler.run");
    }

    private long deadRuns() {
        return search.count(ALL);
    }

    @Test
    void replayedRunIsTheSameRunWithAllItsRetriesBeforeIt() {
        tables.execute("""
                insert into scheduler.dead_letter
                    (run_id, job, queue, priority, schedule_id, tick_at, payload, attempts, max_attempts, outcome, created_at)
                values (nextval('scheduler.run_id_seq'), 'job', 'slow', 10, 7, '2026-01-02Z', 'old', 4, 3, 'LOST', '2026-01-01Z')
                """);
        long id = tables.count("select run_id from scheduler.dead_letter");

        assertThat(letters.replay(id)).isEqualTo(Replay.REPLAYED);

        assertThat(tables.text("""
                select concat_ws(' ', id, queue, state, priority, schedule_id, payload, attempt, failures, max_attempts)
                from scheduler.run
                where place = run_at - interval '10 minutes' and run_at > now() - interval '1 minute'
                  and tick_at = '2026-01-02Z' and created_at = '2026-01-01Z'
                """)).isEqualTo(id + " slow READY 10 7 old 4 0 3");
        assertThat(deadRuns()).isZero();
    }

    @Test
    void historyKeepsTheAttemptsOfAllLives() {
        long id = dead(EnqueueOptions.NONE);
        letters.replay(id);
        die(tables.claim("job"));
        letters.replay(id);
        complete(tables.claim("job"));

        assertThat(tables.texts(
                        "select concat_ws(' ', run_id, attempt, outcome) from scheduler.execution order by token"))
                .containsExactly(id + " 1 FAILED", id + " 2 FAILED", id + " 3 COMPLETED");
    }

    @Test
    void resultFromBeforeTheReplayIsLate() {
        enqueue(EnqueueOptions.NONE);
        ClaimedRun first = tables.claim("job");
        die(first);
        letters.replay(first.id());
        tables.claim("job");

        assertThat(history.complete(List.of(FinishedAttempt.completed(first, Duration.ZERO, Duration.ZERO))))
                .isEmpty();
        assertThat(tables.text("select state from scheduler.run")).isEqualTo("RUNNING");
    }

    @Test
    void payloadIsReplacedOrTakenAway() {
        letters.replayWith(dead(EnqueueOptions.NONE), "2");
        assertThat(tables.claim("job").payload()).isEqualTo("2");

        letters.replayWith(dead(EnqueueOptions.NONE), null);
        assertThat(tables.claim("job").payload()).isNull();
    }

    @Test
    void unknownLetterIsNotFound() {
        assertThat(letters.replay(-1)).isEqualTo(Replay.NOT_FOUND);
        assertThat(letters.replay(tables.ready("job"))).isEqualTo(Replay.NOT_FOUND);
        assertThat(liveRuns()).isOne();
    }

    @Test
    void thousandMatchingRunsAreBackInLineInOneCall() {
        bury(1_200);
        tables.execute("update scheduler.dead_letter set error_type = 'Down' where run_id in"
                + " (select run_id from scheduler.dead_letter limit 1000)");

        assertThat(letters.replayAll(ALL.errorType("Down"), 10_000)).isEqualTo(1_000);

        assertThat(liveRuns()).isEqualTo(1_000);
        assertThat(deadRuns()).isEqualTo(200);
        assertThat(letters.replayAll(ALL, 150)).isEqualTo(150);
        assertThat(letters.replayAll(ALL, 150)).isEqualTo(50);
        assertThat(letters.replayAll(ALL, 150)).isZero();
    }

    @Test
    void oneOfManyReplaysAtOnceWins() {
        long id = dead(keyed());

        List<Replay> results = atOnce(20, () -> letters.replay(id));

        assertThat(results).filteredOn(Replay.REPLAYED::equals).hasSize(1);
        assertThat(results).filteredOn(Replay.NOT_FOUND::equals).hasSize(19);
        assertThat(liveRuns()).isOne();
    }

    @Test
    void bulksAtOnceReplayEveryLetterOnce() {
        bury(1_000);

        List<Integer> results = atOnce(8, () -> {
            int all = 0;
            for (int some = letters.replayAll(ALL, 50); some > 0; some = letters.replayAll(ALL, 50)) {
                all += some;
            }
            return all;
        });

        int late = letters.replayAll(ALL, 1_000);
        assertThat(results.stream().mapToInt(Integer::intValue).sum() + late).isEqualTo(1_000);
        assertThat(liveRuns()).isEqualTo(1_000);
        assertThat(deadRuns()).isZero();
    }

    @Test
    void replayedOrDiscardedButNeverBoth() {
        for (int i = 0; i < 25; i++) {
            long id = dead(EnqueueOptions.NONE);
            CompletableFuture<Boolean> discarded = CompletableFuture.supplyAsync(() -> letters.discard(id));
            boolean replayed = letters.replay(id) == Replay.REPLAYED;

            assertThat(replayed).isNotEqualTo(discarded.join());
            assertThat(liveRuns()).isEqualTo(replayed ? 1 : 0);
            tables.execute("delete from scheduler.run");
        }
    }

    @Test
    void replayWaitsForADiscardUnderWay() throws Exception {
        long id = dead(EnqueueOptions.NONE);
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            new DeadLetterStore(other.database()).discard(id);
            CompletableFuture<Replay> replay = CompletableFuture.supplyAsync(() -> letters.replay(id));
            tables.awaitWaiter();
            other.commit();

            assertThat(replay.join()).isEqualTo(Replay.NOT_FOUND);
        }
        assertThat(liveRuns()).isZero();
    }

    @Test
    void rolledBackReplayLeavesTheLetter() throws Exception {
        long id = dead(keyed());
        try (OpenTransaction open = new OpenTransaction(dataSource)) {
            assertThat(new DeadLetterStore(open.database()).replay(id)).isEqualTo(Replay.REPLAYED);
        }

        assertThat(letters.replay(id)).isEqualTo(Replay.REPLAYED);
    }

    private static <T> List<T> atOnce(int number, Supplier<T> act) {
        ExecutorService threads = Executors.newFixedThreadPool(number);
        CyclicBarrier together = new CyclicBarrier(number);
        try {
            List<CompletableFuture<T>> racing = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> {
                                await(together);
                                return act.get();
                            },
                            threads))
                    .limit(number)
                    .toList();
            return racing.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdown();
        }
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException alone) {
            throw new IllegalStateException(alone);
        }
    }
}
