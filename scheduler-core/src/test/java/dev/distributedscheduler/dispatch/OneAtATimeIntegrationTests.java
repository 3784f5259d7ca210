package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DeadLetterStore;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.Promotion;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.ScheduleControl;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ticks, replays, triggers, retries and dead letters of a schedule all at once: never are two of its runs in line or running.
 *
 * <p>A unique index, which only this test has, refuses whatever would be the second. Seen to fail when a triggered run did
 * not wait, when a tick did not count the live runs, and when a replay did not look for any.
 */
@PostgresTest
@Timeout(60)
class OneAtATimeIntegrationTests {

    private static final int ROUNDS = 50;
    private static final int REPLAYS = 10;
    private static final int MOST_WAITING = 2;

    private final DataSource dataSource;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<DedicatedDataSource> connections = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong round = new AtomicLong();
    private TestLeader leader;
    private TestTables tables;

    OneAtATimeIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void twoSchedules() {
        leader = new TestLeader(dataSource);
        tables = leader.tables();
        tables.execute("""
                create unique index if not exists run_one_at_a_time on scheduler.run (schedule_id)
                where state in ('READY', 'RUNNING')
                """);
        FixedRateTrigger often = new FixedRateTrigger(Duration.ofMillis(500));
        leader.declare(
                new Schedule("queueing", "job", often).with(SchedulePolicy.DEFAULT.with(Overlap.QUEUE)),
                new Schedule("skipping", "job", often));
        leader.setBack(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        over.set(true);
        threads.shutdown();
        connections.forEach(DedicatedDataSource::close);
        leader.close();
    }

    private CompletableFuture<Void> untilOver(Runnable step) {
        return CompletableFuture.runAsync(
                () -> {
                    while (!over.get()) {
                        step.run();
                    }
                },
                threads);
    }

    /** On a connection of its own, as on a node of its own. */
    private Database own() {
        DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20));
        connections.add(connection);
        return new Database(connection, Database.DEFAULT_SCHEMA);
    }

    private Runnable triggering() {
        ScheduleControl control = new ScheduleControl(own());
        return () -> {
            if (waiting.get() < MOST_WAITING) {
                control.trigger(ScheduleKey.of("queueing"), false, null);
                control.trigger(ScheduleKey.of("skipping"), false, null);
            }
        };
    }

    private Runnable pausing() {
        ScheduleControl control = new ScheduleControl(own());
        return () -> pauseAndResume(control);
    }

    private static void pauseAndResume(ScheduleControl control) {
        control.pause(ScheduleKey.of("skipping"), null, null);
        control.resume(ScheduleKey.of("skipping"), null);
    }

    private Runnable working(UUID node, Random random) {
        Database database = own();
        Map<ClaimedRun, Long> held = new HashMap<>();
        return () -> {
            for (ClaimedRun run : new RunQueue(database).claim(node, "default", Set.of("job"), 2)) {
                held.put(run, round.get() + random.nextInt(3));
            }
            List<ClaimedRun> ending = held.keySet().stream()
                    .filter(run -> held.get(run) <= round.get())
                    .toList();
            ending.forEach(run -> end(database, run, random));
            held.keySet().removeAll(ending);
            new DeadLetterStore(database).replayAll(DeadLetterFilter.ALL, 1);
        };
    }

    private static void end(Database database, ClaimedRun run, Random random) {
        RunHistory history = new RunHistory(database);
        switch (random.nextInt(4)) {
            case 0 -> history.fail(List.of(FinishedAttempt.lost(run)));
            case 1 -> history.fail(List.of(dead(run)));
            case 2 -> history.fail(List.of(later(run)));
            default -> history.complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
        }
    }

    private static FinishedAttempt dead(ClaimedRun run) {
        FinishedAttempt lost = FinishedAttempt.lost(run);
        return new FinishedAttempt(run, lost.outcome(), null, null, null, lost.failure());
    }

    private static FinishedAttempt later(ClaimedRun run) {
        return FinishedAttempt.notBegun(run, new IllegalStateException("later"), Duration.ofMillis(20));
    }

    @Test
    void scheduleNeverHasTwoRunsInLineOrRunning() {
        UUID node = tables.node("job");
        Promotion promotion = new Promotion(own());
        List<CompletableFuture<Void>> others = Stream.of(
                        triggering(),
                        triggering(),
                        pausing(),
                        working(node, new Random(1)),
                        working(node, new Random(2)))
                .map(this::untilOver)
                .toList();

        int replays = 0;
        while (round.incrementAndGet() < ROUNDS || replays < REPLAYS) {
            leader.dispatch();
            replays += leader.replayNow();
            promotion.promoteDue(100);
            leader.admit();
            waiting.set(tables.count("select count(*) from scheduler.run"));
        }
        over.set(true);
        others.forEach(CompletableFuture::join);

        assertThat(tables.count("select count(*) from scheduler.execution where outcome = 'COMPLETED'"))
                .isGreaterThan(20);
        assertThat(tables.count(
                        "select count(distinct schedule_id) from scheduler.execution where outcome = 'COMPLETED'"))
                .isEqualTo(2);
    }
}
