package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.QuotaExceededException;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.TickTrace.Fate;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.PeriodicTrigger;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Schedules that a program registers, as a user meets them. */
@PostgresTest
class SchedulesIntegrationTests {

    private static final ScheduleKey KEY = new ScheduleKey("tenant-7", "monday-report");
    private static final List<Report> received = new CopyOnWriteArrayList<>();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    SchedulesIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database).withBean(Jobs.class);
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        received.clear();
    }

    @Test
    void scheduleOfATenantIsRegisteredPausedResumedTriggeredAndDeleted() {
        application.run(context -> {
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            Schedules schedules = context.getBean(Schedules.class);

            scheduler
                    .schedule("monday-report")
                    .tenant("tenant-7")
                    .job("report")
                    .cron("* * * * * *")
                    .zone("Europe/Paris")
                    .payload(new Report("sales", List.of(1, 2)))
                    .register();
            await().until(() -> received.size() >= 2);
            assertThat(received).containsOnly(new Report("sales", List.of(1, 2)));

            assertThat(schedules.pause(KEY, "too many mails", "Ann")).isTrue();
            ScheduleDetails paused = schedules.find(KEY).orElseThrow();
            assertThat(paused.state()).isEqualTo("PAUSED");
            assertThat(paused.stateReason()).isEqualTo("too many mails");
            assertThat(paused.changedBy()).isEqualTo("Ann");
            assertThat(paused.payload()).isEqualTo("{\"about\":\"sales\",\"pages\":[1,2]}");

            assertThat(schedules.trigger(KEY, new Report("audit", List.of()))).isPresent();
            await().until(() -> received.contains(new Report("audit", List.of())));
            assertThat(schedules.find(KEY)).contains(paused);

            assertThat(schedules.resume(KEY, "Bob")).isTrue();
            Instant last = paused.lastTick();
            await().until(() -> schedules.find(KEY).orElseThrow().lastTick().isAfter(last.plusSeconds(1)));
            assertThat(schedules.trace(KEY, Instant.EPOCH, Instant.now().plus(Duration.ofDays(1))))
                    .extracting(TickTrace::fate)
                    .contains(Fate.ENQUEUED);

            assertThat(schedules.delete(KEY)).isTrue();
            assertThat(schedules.list(ScheduleFilter.ALL.tenant("tenant-7"))).isEmpty();
            assertThat(schedules.delete(KEY)).isFalse();
        });
    }

    @Test
    void registrationCommitsAndRollsBackWithTheTransaction() {
        application.run(context -> {
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                scheduler
                        .schedule("rolled-back")
                        .job("report")
                        .fixedRate(Duration.ofHours(1))
                        .register();
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> scheduler
                    .schedule("committed")
                    .job("report")
                    .at(Instant.parse("2099-01-01T00:00:00Z"))
                    .register());

            assertThat(context.getBean(Schedules.class).list(ScheduleFilter.ALL.job("report")))
                    .extracting(schedule -> schedule.key().name())
                    .containsExactly("committed");
        });
    }

    @Test
    void quotaOfTenantsHolds() {
        application
                .withPropertyValues("distributed-scheduler.schedules-per-tenant=1")
                .run(context -> {
                    Schedules schedules = context.getBean(Schedules.class);
                    register(schedules, "one");

                    assertThatThrownBy(() -> register(schedules, "two")).isInstanceOf(QuotaExceededException.class);
                    register(schedules, "one");
                    schedules.setQuota("tenant-7", 2);
                    register(schedules, "two");

                    assertThat(schedules.list(ScheduleFilter.ALL.tenant("tenant-7")))
                            .hasSize(2);
                });
    }

    private static void register(Schedules schedules, String name) {
        schedules
                .schedule(name)
                .tenant("tenant-7")
                .job("report")
                .cron("@yearly")
                .zone("UTC")
                .register();
    }

    @Test
    void triggerMayBeABean() {
        application
                .withBean("twicePerSecond", Trigger.class, () -> new PeriodicTrigger(Duration.ofMillis(500)))
                .run(context -> {
                    Schedules schedules = context.getBean(Schedules.class);
                    schedules
                            .schedule("often")
                            .job("report")
                            .trigger("twicePerSecond")
                            .payload(new Report("bean", List.of()))
                            .register();

                    await().until(() -> received.size() >= 2);
                    List<TickPreview> ticks = schedules.preview(ScheduleKey.of("often"), 2);
                    assertThat(Duration.between(
                                    ticks.get(0).tick(), ticks.get(1).tick()))
                            .isEqualTo(Duration.ofMillis(500));
                });
    }

    @Test
    void mistakesAreRefusedWithAReason() {
        application.withPropertyValues("distributed-scheduler.max-payload=1KB").run(context -> {
            Schedules schedules = context.getBean(Schedules.class);

            assertThatThrownBy(() -> schedules
                            .schedule("x")
                            .job("reprot")
                            .fixedRate(Duration.ofHours(1))
                            .register())
                    .hasMessageContaining(
                            "Schedule 'x': no node has declared a job 'reprot'; there are [declared, report]");
            assertThatThrownBy(() -> schedules
                            .schedule("x")
                            .job("report")
                            .trigger("nobody")
                            .register())
                    .hasMessageContaining("There is no Trigger bean 'nobody'");
            assertThatThrownBy(() -> schedules
                            .schedule("x")
                            .job("report")
                            .fixedRate(Duration.ofHours(1))
                            .payload("x".repeat(2_000))
                            .register())
                    .hasMessageContaining("more than the 1024");
            assertThatThrownBy(() -> schedules
                            .schedule("declared")
                            .job("report")
                            .fixedRate(Duration.ofHours(1))
                            .register())
                    .hasMessageContaining("[declared] are declared in code");
            assertThatThrownBy(() -> schedules.delete(ScheduleKey.of("declared")))
                    .hasMessageContaining("is declared in code and would come back");
        });
    }

    record Report(String about, List<Integer> pages) {}

    static class Jobs {

        @DistributedJob("report")
        void report(Report report) {
            received.add(report);
        }

        @DistributedScheduled(name = "declared", cron = "@yearly", zone = "UTC")
        void declared() {}
    }
}
