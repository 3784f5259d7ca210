package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run of a schedule now, because somebody asks for it. */
class TriggeredScheduleIntegrationTests extends EngineTest {

    private static final ScheduleKey KEY = ScheduleKey.of("report");

    private Schedules schedules;

    TriggeredScheduleIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    @BeforeEach
    void operations() {
        schedules = TestSchedules.on(new TestTables(dataSource), TestSchedules.QUOTA, TriggerBeans.NONE);
    }

    private void register() {
        schedules
                .schedule("report")
                .job("report")
                .fixedRate(Duration.ofHours(1))
                .initialDelay(Duration.ofHours(1))
                .payload("usual")
                .register();
    }

    @Test
    void runHasThePayloadOfTheScheduleOrItsOwn() {
        register();

        assertThat(schedules.trigger(KEY)).isPresent();
        assertThat(schedules.trigger(KEY, "special")).isPresent();
        assertThat(schedules.trigger(KEY, null)).isPresent();

        assertThat(jdbc.sql("select coalesce(payload, 'none') from scheduler.run order by id")
                        .query(String.class)
                        .list())
                .containsExactly("usual", "special", "none");
    }

    @Test
    void payloadThatIsTooLargeIsRefused() {
        register();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.trigger(KEY, "x".repeat(TestSchedules.MAX_PAYLOAD + 1)))
                .withMessageStartingWith("The payload of schedule 'report' has 101 bytes, more than the 100");
    }

    @Test
    void unknownScheduleIsNotTriggered() {
        assertThat(schedules.trigger(KEY)).isEmpty();
        assertThat(schedules.trigger(KEY, "special")).isEmpty();
    }

    @Test
    void triggeredRunWaitsForTheLiveOneAndThenRuns() throws InterruptedException {
        Queue<Long> started = new ConcurrentLinkedQueue<>();
        CountDownLatch release = new CountDownLatch(1);
        TestNode node = node().scheduled("report", new FixedRateTrigger(Duration.ofHours(1)), run -> {
                    started.add(run.runId());
                    release.await();
                })
                .start();
        await().until(() -> started.size() == 1);

        long run = schedules.trigger(KEY).orElseThrow();
        long next = schedules.trigger(KEY).orElseThrow();
        await().until(() -> count("select count(*) from scheduler.run where blocked_by = 'KEY'") == 2);
        assertThat(started).hasSize(1);

        release.countDown();

        await().until(() -> node.events(RunCompleted.class).size() == 3);
        assertThat(started).hasSize(3).endsWith(run, next);
    }
}
