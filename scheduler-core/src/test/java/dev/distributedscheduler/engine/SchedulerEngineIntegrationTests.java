package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SchedulerEngineIntegrationTests extends EngineTest {

    SchedulerEngineIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    @Test
    void everyTickOfAScheduleRunsOnceAndBecomesHistory() {
        List<Instant> ticks = new CopyOnWriteArrayList<>();
        TestNode node = node().scheduled(
                        JobDefinition.of("often", run -> ticks.add(run.scheduledTime())),
                        new FixedRateTrigger(Duration.ofMillis(100)),
                        OVERLAPPING)
                .start();

        await().until(() -> node.events(RunCompleted.class).size() >= 10);
        node.stop();

        List<Instant> inOrder = ticks.stream().sorted().toList();
        assertThat(inOrder).doesNotHaveDuplicates();
        for (int i = 1; i < inOrder.size(); i++) {
            assertThat(Duration.between(inOrder.get(i - 1), inOrder.get(i))).isEqualTo(Duration.ofMillis(100));
        }
        assertThat(count("select count(*) from scheduler.execution where outcome = 'COMPLETED'"))
                .isEqualTo(ticks.size());
    }

    @Test
    void failingRunIsTriedAgainAndThenDead() {
        AtomicInteger attempts = new AtomicInteger();
        TestNode node = node().scheduled(
                        JobDefinition.of("failing", run -> {
                                    attempts.incrementAndGet();
                                    throw new IllegalStateException("no luck \0 today");
                                })
                                .withMaxAttempts(3)
                                .withRetry(AT_ONCE),
                        new FixedRateTrigger(Duration.ofHours(1)))
                .start();

        await().until(() -> node.events(RunDied.class).size() == 1);

        assertThat(attempts).hasValue(3);
        assertThat(count("select count(*) from scheduler.execution where outcome = 'FAILED' and attempt in (1, 2, 3)"))
                .isEqualTo(3);
        assertThat(jdbc.sql("select error_message from scheduler.dead_letter where job = 'failing'")
                        .query(String.class)
                        .single())
                .isEqualTo("no luck \uFFFD today");
        assertThat(count("select count(*) from scheduler.run")).isZero();
    }

    @Test
    void fixedDelayCountsFromTheEndOfTheRun() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        CountDownLatch release = new CountDownLatch(1);
        node().scheduled("slow", new FixedDelayTrigger(Duration.ofMillis(50)), run -> {
                    starts.add(System.nanoTime());
                    release.await();
                })
                .start();
        await().until(() -> starts.size() == 1);
        assertThat(count("select count(*) from scheduler.schedule where next_tick_at is not null"))
                .isZero();

        long released = System.nanoTime();
        release.countDown();

        await().until(() -> starts.size() >= 3);
        assertThat(Duration.ofNanos(starts.get(1) - released)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void nextNodeLeadsAtOnceWhenTheLeaderStops() {
        List<Instant> ticks = new CopyOnWriteArrayList<>();
        FixedRateTrigger often = new FixedRateTrigger(Duration.ofMillis(50));
        JobDefinition job = JobDefinition.of("often", run -> ticks.add(run.scheduledTime()));
        TestNode first = node().scheduled(job, often, OVERLAPPING).start();
        await().until(() -> first.events(LeadershipGained.class).size() == 1);
        TestNode second = node().scheduled(job, often, OVERLAPPING).start();
        await().until(() -> ticks.size() > 3);

        first.stop();
        long stopped = System.nanoTime();

        await().until(() -> second.events(LeadershipGained.class).size() == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(1));
        int before = ticks.size();
        await().until(() -> ticks.size() > before + 5);
        second.stop();
        assertThat(ticks).doesNotHaveDuplicates();
        List<Instant> inOrder = ticks.stream().sorted().toList();
        Duration span = Duration.between(inOrder.get(0), inOrder.get(inOrder.size() - 1));
        assertThat(inOrder).hasSize((int) span.dividedBy(Duration.ofMillis(50)) + 1);
    }
}
