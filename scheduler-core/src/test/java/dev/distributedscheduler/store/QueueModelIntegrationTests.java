package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store does exactly what a model in plain Java says, whatever comes after whatever.
 *
 * <p>After every step all rows are compared, so that a failure names the step which did something else; {@code -Dmodel.seed}
 * repeats it. Each of these changes was seen to fail, with one seed: a completion or a failure that does not compare the
 * token, LOST that costs no attempt, a key's limit that forgets the slots in use, a job's limit that is one too high, a claim
 * in another order or by a node whose lease has run out, a late result that is dropped after LOST, a dead run that keeps its
 * key, a promotion past the gates, giving back what is held, a failure that forgets the cancellation, an enqueue or a replay
 * that does not ask whether it got the key.
 */
@PostgresTest
class QueueModelIntegrationTests {

    private static final int STEPS = 3_000;
    private static final int BETWEEN_LOOKS_AT_THE_HISTORY = 100;

    private final DataSource dataSource;

    QueueModelIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static LongStream seeds() {
        Long given = Long.getLong("model.seed");
        return given == null ? LongStream.of(1, 2, 3, 4) : LongStream.of(given);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void storeDoesWhatTheModelSays(long seed) {
        new JobStore(new TestTables(dataSource).database()).declare(Dice.JOBS);
        try (DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20))) {
            StepLog log = new StepLog();
            Database database = new Database(connection, Database.DEFAULT_SCHEMA);
            QueueModel model = new QueueModel(Dice.JOBS);
            Dice dice = new Dice(seed);
            WorkerSteps workers = new WorkerSteps(database, model, dice, log);
            List<Runnable> deck = deck(
                    workers, new LeaderSteps(database, model, dice, log), new UserSteps(database, model, dice, log));
            QueueTables tables = new QueueTables(database);
            for (int step = 1; step <= STEPS; step++) {
                try {
                    model.tick();
                    workers.addMissingNodes();
                    dice.oneOf(deck).run();
                    compare(tables, model, step % BETWEEN_LOOKS_AT_THE_HISTORY == 0);
                } catch (AssertionError | RuntimeException difference) {
                    throw new AssertionError(
                            "-Dmodel.seed=%d, step %d, the last of these:%n%s%n%s"
                                    .formatted(seed, step, log, difference.getMessage()),
                            difference);
                }
            }
        }
    }

    /** Each step as often as keeps the queue busy and all its corners visited. */
    private static List<Runnable> deck(WorkerSteps workers, LeaderSteps leader, UserSteps users) {
        List<Runnable> deck = new ArrayList<>();
        deck.addAll(Collections.nCopies(20, users::enqueue));
        deck.addAll(Collections.nCopies(20, workers::claim));
        deck.addAll(Collections.nCopies(9, workers::complete));
        deck.addAll(Collections.nCopies(14, workers::fail));
        deck.addAll(Collections.nCopies(12, leader::admit));
        deck.addAll(Collections.nCopies(8, leader::promoteDue));
        deck.addAll(Collections.nCopies(10, leader::letADelayPass));
        deck.addAll(Collections.nCopies(4, leader::letALeaseEnd));
        deck.addAll(Collections.nCopies(5, leader::rescue));
        deck.addAll(Collections.nCopies(3, workers::giveBackUnheld));
        deck.addAll(Collections.nCopies(2, users::cancel));
        deck.addAll(Collections.nCopies(3, users::replay));
        deck.addAll(List.of(
                workers::heartbeat,
                users::replayAll,
                users::discard,
                users::discardAll,
                leader::letAReservationEnd,
                leader::forgetKeys));
        return deck;
    }

    private static void compare(QueueTables tables, QueueModel model, boolean alsoHistory) {
        assertThat(QueueTables.differences(tables.rows(), model.rows())).isEmpty();
        tables.assertLimitsHold();
        if (alsoHistory) {
            assertThat(QueueTables.differences(tables.history(), model.history.rows()))
                    .isEmpty();
            tables.assertHistoryIsSound();
            tables.assertEachIsLiveOrEndedOnce(model.accepted, model.gone);
        }
    }
}
