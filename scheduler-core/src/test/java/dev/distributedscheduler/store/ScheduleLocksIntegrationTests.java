package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Trigger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Starting replicas and ending runs lock the same schedules and never wait for each other in a circle.
 *
 * <p>In each test a third transaction holds one of the schedules until the other two are both waiting; which row it is and
 * in which order the rows were made decides who would hold what the other needs. The server reported deadlocks when
 * {@code declare} did not lock first, and when completions did not lock in the order of ids.
 */
@PostgresTest
@Timeout(30)
class ScheduleLocksIntegrationTests {

    private static final Trigger DELAY = new FixedDelayTrigger(Duration.ofSeconds(1));

    private final DataSource dataSource;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestTables tables;
    private ScheduleStore schedules;

    ScheduleLocksIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        tables.joinWithoutOrder();
        schedules = new ScheduleStore(tables.database());
    }

    @AfterEach
    void close() {
        threads.shutdown();
    }

    private static List<Schedule> both(Trigger first, Trigger second) {
        return List.of(new Schedule("a", "job", first), new Schedule("b", "job", second));
    }

    private CompletableFuture<Void> declaring(List<Schedule> declared) {
        return CompletableFuture.runAsync(() -> declare(declared), threads);
    }

    private void declare(List<Schedule> declared) {
        schedules.declare(declared, 1);
    }

    private OpenTransaction hold(String schedule) throws SQLException {
        OpenTransaction holder = new OpenTransaction(dataSource);
        holder.database()
                .sql("select id from scheduler.schedule where name = :name for update")
                .param("name", schedule)
                .query()
                .singleRow();
        return holder;
    }

    private List<FinishedAttempt> completedRuns() {
        assertThat(TestTicks.enqueueDue(tables)).isEqualTo(2);
        return new RunQueue(tables.database())
                .claim(tables.node("job"), "default", Set.of("job"), 2).stream()
                        .map(run -> FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO))
                        .toList();
    }

    /** So that a completion which does not sort would lock the second first. */
    private void moveToTheEndOfTheTable(String schedule) {
        tables.execute("update scheduler.schedule set updated_at = now() where name = '%s'".formatted(schedule));
    }

    @ParameterizedTest
    @CsvSource({"a, b, a", "a, b, b", "b, a, a", "b, a, b"})
    void declarationAndCompletionDoNotWaitInACircle(String firstMade, String secondMade, String held)
            throws SQLException {
        for (String name : List.of(firstMade, secondMade)) {
            declare(List.of(new Schedule(name, "job", DELAY)));
        }
        List<FinishedAttempt> done = completedRuns();
        moveToTheEndOfTheTable(firstMade);
        try (OpenTransaction holder = hold(held)) {
            CompletableFuture<Void> declaration = declaring(both(DELAY, DELAY));
            tables.awaitWaiter();
            CompletableFuture<Set<Long>> completion =
                    CompletableFuture.supplyAsync(() -> new RunHistory(tables.database()).complete(done), threads);
            tables.awaitWaiters(2);

            holder.commit();

            declaration.join();
            assertThat(completion.join()).hasSize(2);
        }
        assertThat(tables.count("select count(next_tick_at) from scheduler.schedule"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void replicasThatDisagreeOnWhatIsSwitchedOffDoNotWaitInACircle(String held) throws SQLException {
        declare(both(DELAY, DELAY));
        List<List<Schedule>> versions = List.of(both(DELAY, DELAY), both(DELAY, null), both(null, DELAY));
        try (OpenTransaction holder = hold(held)) {
            CompletableFuture<?>[] declarations = new CompletableFuture<?>[versions.size()];
            for (int i = 0; i < declarations.length; i++) {
                declarations[i] = declaring(versions.get(i));
                tables.awaitWaiters(i + 1);
            }

            holder.commit();

            CompletableFuture.allOf(declarations).join();
        }
    }
}
