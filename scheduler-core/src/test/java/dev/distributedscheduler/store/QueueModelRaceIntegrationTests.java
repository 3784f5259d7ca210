package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The promises hold while everybody does everything at the same time.
 *
 * <p>Nothing is predicted; the limits are looked at in the midst of it, the rest when all threads have paused. The seed only
 * repeats what each thread tries, not who comes first. Each of these changes was seen to fail: a claim that does not lock
 * what it chose, a completion or a failure that does not compare the token, either limit of the admission, a dead run that
 * keeps its key, a promotion past the gates, an enqueue or a replay that does not ask whether it got the key.
 */
@PostgresTest
class QueueModelRaceIntegrationTests {

    private static final int THREADS = 4;
    private static final int ROUNDS = 10;
    private static final int STEPS_PER_ROUND = 200;

    private final DataSource dataSource;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<DedicatedDataSource> connections = new ArrayList<>();

    QueueModelRaceIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        connections.forEach(DedicatedDataSource::close);
    }

    private Database connect() {
        DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20));
        connections.add(connection);
        return new Database(connection, Database.DEFAULT_SCHEMA);
    }

    @Test
    void everyAcceptedRunEndsOnceAndNoLimitIsExceeded() {
        TestTables tables = new TestTables(dataSource);
        new JobStore(tables.database()).declare(Dice.JOBS, 1);
        long seed = Long.getLong("model.seed", 1);
        RacingSteps.Known known = new RacingSteps.Known();
        List<RacingSteps> racing = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            racing.add(new RacingSteps(connect(), new Dice(seed * THREADS + i), known));
        }
        QueueTables queue = new QueueTables(connect());

        for (int round = 1; round <= ROUNDS; round++) {
            try {
                race(racing);
                check(queue, known);
            } catch (AssertionError broken) {
                throw new AssertionError(
                        "-Dmodel.seed=%d, round %d, which ended with:%n%s%n%s"
                                .formatted(seed, round, racing, broken.getMessage()),
                        broken);
            }
        }

        racing.get(0).drain();
        check(queue, known);
        assertThat(queue.rows()).noneMatch(row -> row.startsWith("run") || row.endsWith("taken"));
    }

    private void race(List<RacingSteps> racing) {
        CompletableFuture<?>[] all = racing.stream()
                .map(steps -> CompletableFuture.runAsync(() -> steps.run(STEPS_PER_ROUND), threads))
                .toArray(CompletableFuture[]::new);
        assertThat(CompletableFuture.allOf(all)).succeedsWithin(Duration.ofMinutes(1));
    }

    private static void check(QueueTables queue, RacingSteps.Known known) {
        queue.assertLimitsHold();
        queue.assertHistoryIsSound();
        queue.assertEachIsLiveOrEndedOnce(known.accepted, known.gone);
        assertThat(queue.rows().stream().filter(row -> row.contains(" RUNNING ")))
                .hasSize(known.underWay());
    }
}
