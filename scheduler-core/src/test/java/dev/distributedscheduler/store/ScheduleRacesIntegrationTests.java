package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Schedule.Work;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dispatching leader against people who change the same schedule, in both orders: whoever comes second sees what the first
 * did. In each test one of them has done its work but not committed when the other one comes.
 */
@PostgresTest
@Timeout(60)
class ScheduleRacesIntegrationTests {

    private static final ScheduleKey KEY = new ScheduleKey("tenant-7", "report");

    private final DataSource dataSource;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestTables tables;
    private ScheduleControl control;

    ScheduleRacesIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void dueSchedule() {
        tables = new TestTables(dataSource);
        control = new ScheduleControl(tables.database());
        register(Overlap.SKIP);
    }

    @AfterEach
    void close() {
        threads.shutdown();
    }

    private void register(Overlap overlap) {
        Timing hourly = Timing.of(new FixedRateTrigger(Duration.ofHours(1)));
        new ScheduleStore(tables.database())
                .register(List.of(new Schedule(
                        KEY, "job", hourly, Duration.ZERO, SchedulePolicy.DEFAULT.with(overlap), Work.OF_THE_JOB)));
    }

    private Dispatched dispatch() {
        return TestTicks.dispatch(tables.database());
    }

    /** Locks, plans and advances, and leaves the commit to the caller. */
    private static Dispatched dispatchIn(OpenTransaction transaction) {
        DueTicks ticks = new DueTicks(transaction.database());
        List<Advance> advances = ticks.lockDue(Set.of(), null, 10).stream()
                .map(due -> TestTicks.advance(due, TestTicks.now(transaction.database())))
                .toList();
        return ticks.advance(advances);
    }

    private <T> CompletableFuture<T> waiting(Supplier<T> action) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(action, threads);
        tables.awaitWaiter();
        assertThat(result).isNotDone();
        return result;
    }

    private List<String> runs() {
        return tables.texts("select concat_ws(' ', state, blocked_by) from scheduler.run order by id");
    }

    private String state() {
        return tables.text("select state from scheduler.schedule");
    }

    @Test
    void tickAfterAPauseThatIsUnderWayDoesNotBecomeARun() throws SQLException {
        try (OpenTransaction pause = new OpenTransaction(dataSource)) {
            new ScheduleControl(pause.database()).pause(KEY, null, null);

            assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
            pause.commit();
        }
        assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
        assertThat(runs()).isEmpty();
        assertThat(state()).isEqualTo("PAUSED");
    }

    @Test
    void pauseThatIsGivenUpCostsNoTick() throws SQLException {
        try (OpenTransaction pause = new OpenTransaction(dataSource)) {
            new ScheduleControl(pause.database()).pause(KEY, null, null);
            assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
        }

        tables.awaitNoTransaction();
        assertThat(TestTicks.sum(dispatch())).isOne();
    }

    @Test
    void pauseWaitsForADispatchThatIsUnderWayAndItsRunGoesOn() throws SQLException {
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();
            CompletableFuture<Boolean> pause = waiting(() -> control.pause(KEY, null, null));

            leader.commit();

            assertThat(pause.join()).isTrue();
        }
        assertThat(runs()).containsExactly("READY");
        assertThat(state()).isEqualTo("PAUSED");
        assertThat(tables.count("select count(*) from scheduler.schedule where next_tick_at > now()"))
                .isOne();
    }

    @Test
    void tickAfterADeletionThatIsUnderWayDoesNotBecomeARun() throws SQLException {
        try (OpenTransaction deletion = new OpenTransaction(dataSource)) {
            assertThat(new ScheduleControl(deletion.database()).delete(KEY)).isTrue();

            assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
            deletion.commit();
        }
        assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
        assertThat(runs()).isEmpty();
    }

    @Test
    void deletionWaitsForADispatchThatIsUnderWayAndItsRunGoesOn() throws SQLException {
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();
            CompletableFuture<Boolean> deletion = waiting(() -> control.delete(KEY));

            leader.commit();

            assertThat(deletion.join()).isTrue();
        }
        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
        ClaimedRun run = tables.claim("job");
        assertThat(new RunHistory(tables.database())
                        .complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO))))
                .containsExactly(run.token());
    }

    @ParameterizedTest
    @EnumSource(
            value = Overlap.class,
            names = {"SKIP", "QUEUE"})
    void tickAfterATriggerThatIsUnderWaySeesItsRun(Overlap overlap) throws SQLException {
        register(overlap);
        try (OpenTransaction trigger = new OpenTransaction(dataSource)) {
            new ScheduleControl(trigger.database()).trigger(KEY, false, null);

            assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
            trigger.commit();
        }
        Dispatched dispatched = dispatch();

        assertThat(dispatched.skipped()).isEqualTo(overlap == Overlap.SKIP ? 1 : 0);
        assertThat(runs()).doesNotContain("READY");
        assertThat(new Admission(tables.database()).admit()).isOne();
        assertThat(new Admission(tables.database()).admit()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Overlap.class,
            names = {"SKIP", "QUEUE"})
    void triggerWaitsForADispatchThatIsUnderWayAndItsRunForTheOther(Overlap overlap) throws SQLException {
        register(overlap);
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();
            CompletableFuture<Optional<Long>> trigger = waiting(() -> control.trigger(KEY, false, null));

            leader.commit();

            assertThat(trigger.join()).isPresent();
        }
        assertThat(runs()).containsExactly("READY", "BLOCKED KEY");
        assertThat(new Admission(tables.database()).admit()).isZero();
    }

    @Test
    void twoLeadersNeverDispatchTheSameTick() throws SQLException {
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();

            assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
            leader.commit();
        }
        assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
        assertThat(runs()).containsExactly("READY");
    }

    @Test
    void registrationWaitsForADispatchThatIsUnderWayAndKeepsItsPlace() throws SQLException {
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();
            CompletableFuture<Void> registration = waiting(() -> {
                tables.database().inTransaction(() -> {
                    register(Overlap.QUEUE);
                    return true;
                });
                return null;
            });

            leader.commit();

            registration.join();
        }
        assertThat(tables.count(
                        "select count(*) from scheduler.schedule where next_tick_at > now() and overlap = 'QUEUE'"))
                .isOne();
        assertThat(dispatch()).isEqualTo(Dispatched.NOTHING);
    }

    @Test
    void resumeAfterADispatchThatIsUnderWayOfOthersIsNotHeldUp() throws SQLException {
        control.pause(KEY, null, null);
        try (OpenTransaction leader = new OpenTransaction(dataSource)) {
            assertThat(dispatchIn(leader)).isEqualTo(Dispatched.NOTHING);

            assertThat(control.resume(KEY, null)).isTrue();

            assertThat(TestTicks.sum(dispatchIn(leader))).isOne();
            leader.commit();
        }
        assertThat(runs()).containsExactly("READY");
    }
}
