package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.PeriodicTrigger;

/** Schedules that annotations declare and the configuration overrides, over starts and restarts. */
@PostgresTest
class DeclaredSchedulesIntegrationTests {

    private static final List<String> executed = new CopyOnWriteArrayList<>();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    DeclaredSchedulesIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database);
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        executed.clear();
    }

    @Test
    void everythingThatIsDeclaredIsStored() {
        application.withBean(Detailed.class).run(context -> {
            ScheduleDetails schedule = find(context, "detailed");

            assertThat(schedule.declared()).isTrue();
            assertThat(schedule.overlap()).isEqualTo(Overlap.QUEUE);
            assertThat(schedule.misfire()).isEqualTo(Misfire.REPLAY_LATEST);
            assertThat(schedule.shift()).isPositive();
            assertThat(schedule.nextTick())
                    .isEqualTo(Instant.parse("2098-12-31T23:00:00Z").plus(schedule.shift()));
        });
    }

    @Test
    void scheduleIsRetiredWhileItIsSwitchedOff() {
        ApplicationContextRunner hourly = application.withBean(Hourly.class);
        hourly.run(context -> assertThat(find(context, "hourly").state()).isEqualTo("ACTIVE"));

        hourly.withPropertyValues("distributed-scheduler.jobs.hourly.cron=-").run(context -> {
            assertThat(find(context, "hourly").state()).isEqualTo("RETIRED");
            assertThat(find(context, "hourly").stateReason()).isEqualTo("switched off");
        });
        hourly.run(context -> assertThat(find(context, "hourly").state()).isEqualTo("ACTIVE"));
        hourly.withPropertyValues("distributed-scheduler.jobs.hourly.enabled=false")
                .run(context -> {
                    assertThat(find(context, "hourly").state()).isEqualTo("RETIRED");
                    assertThat(find(context, "hourly").nextTick()).isNull();
                });
        assertThat(executed).isEmpty();
    }

    @Test
    void cronOfTheConfigurationReplacesAFixedRate() {
        application
                .withBean(Hourly.class)
                .withPropertyValues(
                        "distributed-scheduler.jobs.hourly.cron=* * * * * *",
                        "distributed-scheduler.jobs.hourly.zone=Asia/Tokyo",
                        "distributed-scheduler.jobs.hourly.overlap=allow")
                .run(context -> {
                    ScheduleDetails schedule = find(context, "hourly");
                    assertThat(schedule.trigger()).isEqualTo("CRON");
                    assertThat(schedule.zone()).isEqualTo("Asia/Tokyo");
                    assertThat(schedule.overlap()).isEqualTo(Overlap.ALLOW);
                    await().until(() -> executed.size() >= 2);
                });
    }

    @Test
    void oneTimeTaskRunsOnceHoweverOftenTheApplicationStarts() {
        ApplicationContextRunner once = application.withBean(Once.class).withPropertyValues("delay=300ms");
        once.run(context -> once.run(replica -> {
            await().until(() -> find(context, "once").state().equals("ENDED"));
            await().until(() -> executed.size() == 1);
        }));
        ScheduleDetails ended = ended(once);

        assertThat(ended(once)).isEqualTo(ended);
        assertThat(ended(once.withPropertyValues("spring.application.version=2")))
                .isEqualTo(ended);
        assertThat(executed).hasSize(1);

        once.withPropertyValues("delay=200ms").run(context -> await().until(() -> executed.size() == 2));
    }

    private static ScheduleDetails ended(ApplicationContextRunner application) {
        ScheduleDetails[] found = new ScheduleDetails[1];
        application.run(context -> found[0] = find(context, "once"));
        assertThat(found[0].state()).isEqualTo("ENDED");
        return found[0];
    }

    @Test
    void oneTimeTaskThatNobodyCouldRunInTimeRunsLater() {
        ApplicationContextRunner once = application.withBean(Once.class).withPropertyValues("delay=1s");
        Instant[] tick = new Instant[1];
        once.withPropertyValues("distributed-scheduler.dispatch.enabled=false")
                .run(context -> tick[0] = find(context, "once").nextTick());

        once.run(context -> await().until(() -> executed.equals(List.of(tick[0].toString()))));
    }

    @Test
    void triggerBeanSaysWhen() {
        application
                .withBean(ByBean.class)
                .withBean("own", Trigger.class, () -> new PeriodicTrigger(Duration.ofMillis(200)))
                .run(context -> {
                    assertThat(find(context, "by-bean").expression()).isEqualTo("own");
                    await().until(() -> executed.size() >= 3);
                });
    }

    @Test
    void ticksAreSkippedWhileTheirPredecessorRuns() {
        Held.release = new CountDownLatch(1);
        application.withBean(Held.class).run(context -> {
            Schedules schedules = context.getBean(Schedules.class);
            await().until(() -> reasons(schedules).contains("overlap"));
            assertThat(executed).hasSize(1);

            Held.release.countDown();
            await().until(() -> executed.size() >= 2);
        });
    }

    private static List<String> reasons(Schedules schedules) {
        return schedules
                .trace(ScheduleKey.of("held"), Instant.EPOCH, Instant.now().plus(Duration.ofDays(1)))
                .stream()
                .map(TickTrace::reason)
                .toList();
    }

    private static ScheduleDetails find(ApplicationContext context, String name) {
        return context.getBean(Schedules.class).find(ScheduleKey.of(name)).orElseThrow();
    }

    static class Detailed {

        @DistributedScheduled(
                name = "detailed",
                cron = "@daily",
                zone = "Europe/Paris",
                from = "2099-01-01",
                until = "2099-06-30T12:00:00Z",
                spread = "10m",
                overlap = Overlap.QUEUE,
                misfire = Misfire.REPLAY_LATEST,
                misfireGrace = "6h")
        void work() {}
    }

    static class Hourly {

        @DistributedScheduled(name = "hourly", fixedRate = 1, initialDelay = 1, timeUnit = TimeUnit.HOURS)
        void work() {
            executed.add("hourly");
        }
    }

    static class Once {

        @DistributedScheduled(name = "once", initialDelayString = "${delay}")
        void work(JobContext context) {
            executed.add(String.valueOf(context.scheduledTime()));
        }
    }

    static class ByBean {

        @DistributedScheduled(name = "by-bean", trigger = "own")
        void work() {
            executed.add("by-bean");
        }
    }

    static class Held {

        private static CountDownLatch release;

        @DistributedScheduled(name = "held", fixedRate = 100)
        void work() throws InterruptedException {
            executed.add("held");
            release.await();
        }
    }
}
