package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.ClusterOverview.Depth;
import dev.distributedscheduler.JobDetails;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.PastAttempt;
import dev.distributedscheduler.RunSummary;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.actuate.endpoint.EndpointJobs.Mail;
import dev.distributedscheduler.actuate.endpoint.SchedulerJobsEndpoint.Job;
import dev.distributedscheduler.actuate.endpoint.SchedulerJobsEndpoint.Jobs;
import dev.distributedscheduler.actuate.endpoint.SchedulerRunsEndpoint.PastRuns;
import dev.distributedscheduler.actuate.endpoint.SchedulerRunsEndpoint.Run;
import dev.distributedscheduler.autoconfigure.SchedulerApplication;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The endpoints as objects, on a running scheduler. */
@PostgresTest
class EndpointsIntegrationTests {

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    EndpointsIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database)
                .withConfiguration(AutoConfigurations.of(SchedulerEndpointAutoConfiguration.class))
                .withBean(EndpointJobs.class)
                .withPropertyValues(
                        "distributed-scheduler.node.name=node-a",
                        "distributed-scheduler.worker.drain-timeout=1s",
                        "management.endpoints.web.exposure.include=*",
                        "distributed-scheduler.endpoints.show-values=always");
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        EndpointJobs.mails.clear();
    }

    @Test
    void overviewShowsLeaderNodesAndQueue() {
        application.run(context -> {
            SchedulerEndpoint endpoint = context.getBean(SchedulerEndpoint.class);
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            await().until(() -> endpoint.overview().leader() != null);
            scheduler.enqueue("send-mail", new Mail("ann"), options -> options.delay(Duration.ofHours(1)));
            scheduler.enqueue("endless", null);
            scheduler.enqueue("send-mail", new Mail("nobody"));
            await().until(() -> endpoint.overview().dead().atLeast() == 1
                    && endpoint.overview().queues().contains(new Depth("default", "RUNNING", 1, false)));

            SchedulerEndpoint.Overview seen = endpoint.overview();

            assertThat(seen.leader().name()).isEqualTo("node-a");
            assertThat(seen.term()).isEqualTo(1);
            assertThat(seen.nodes()).singleElement().satisfies(node -> {
                assertThat(node.id()).isEqualTo(seen.leader().nodeId());
                assertThat(node.alive()).isTrue();
                assertThat(node.running()).isEqualTo(1);
            });
            assertThat(seen.queues())
                    .containsExactlyInAnyOrder(
                            new Depth("default", "RUNNING", 1, false), new Depth("default", "SCHEDULED", 1, false));
            assertThat(seen.live().atLeast()).isEqualTo(2);
            assertThat(seen.live().more()).isFalse();
            assertThat(seen.stuck()).isZero();
            assertThat(seen.oldestDueAge()).isNull();
            assertThat(seen.orphaned()).isEmpty();
        });
    }

    @Test
    void jobIsListedShownPausedResumedAndTriggered() {
        application.run(context -> {
            SchedulerJobsEndpoint endpoint = context.getBean(SchedulerJobsEndpoint.class);
            await().until(() -> endpoint.list(null, null, null, null, null, null)
                            .schedules()
                            .size()
                    == 1);

            Jobs all = endpoint.list(null, null, null, null, null, null);
            assertThat(all.jobs()).extracting(JobDetails::name).containsExactly("endless", "nightly", "send-mail");
            assertThat(all.jobs()).allSatisfy(job -> assertThat(job.nodes()).isEqualTo(1));
            assertThat(all.schedules()).extracting(Schedule::name).containsExactly("nightly");
            assertThat(endpoint.list(null, null, null, "paused", null, null).schedules())
                    .isEmpty();
            assertThat(endpoint.list(null, "send", null, null, null, null).jobs())
                    .hasSize(1);

            assertThat(endpoint.act("nightly", "pause", null, null, "holiday").done())
                    .isTrue();
            assertThat(endpoint.act("nightly", "pause", null, null, null).message())
                    .isEqualTo("The schedule is PAUSED");
            assertThat(endpoint.act("nightly", "resume", null, null, null).done())
                    .isTrue();
            Done triggered = endpoint.act("nightly", "trigger", null, null, "by hand");
            await().until(() -> endpoint.job("nightly", null).lastDay().attempts() == 1);

            Job job = endpoint.job("nightly", null);
            assertThat(job.schedule().state()).isEqualTo("ACTIVE");
            assertThat(job.nextTicks()).hasSize(5);
            assertThat(job.lastDay().successRate()).isEqualTo(1.0);
            assertThat(job.operations())
                    .extracting(Operation::act, Operation::who, Operation::reason, Operation::runId)
                    .containsExactly(
                            tuple(Act.TRIGGER, "anonymous", "by hand", triggered.runId()),
                            tuple(Act.RESUME, "anonymous", null, null),
                            tuple(Act.PAUSE, "anonymous", "holiday", null));
            JobViews.Trace trace = (JobViews.Trace) endpoint.view("nightly", "trace", null, null, null, null);
            assertThat(trace.ticks()).extracting(TickTrace::runId).containsExactly(triggered.runId());
            JobViews.Ticks ticks = (JobViews.Ticks) endpoint.view("nightly", "ticks", null, null, null, "3");
            assertThat(ticks.ticks()).hasSize(3);
            assertThat(endpoint.view("nightly", "statistics", null, null, null, null))
                    .isInstanceOf(JobViews.Statistics.class);
        });
    }

    @Test
    void jobWithoutScheduleIsTriggeredWithAPayload() {
        application.run(context -> {
            SchedulerJobsEndpoint endpoint = context.getBean(SchedulerJobsEndpoint.class);

            Done done = endpoint.act("send-mail", "trigger", null, "{\"to\": \"ann\"}", null);

            await().until(() -> EndpointJobs.mails.contains("ann"));
            assertThat(endpoint.job("send-mail", null).operations())
                    .extracting(Operation::runId)
                    .containsExactly(done.runId());
            assertThat(endpoint.job("send-mail", "tenant-1")).isNull();
            assertThat(endpoint.act("send-mail", "trigger", "tenant-1", null, null))
                    .isNull();
            assertThat(endpoint.act("send-mail", "pause", null, null, null)).isNull();
        });
    }

    @Test
    void scheduleOfATenantIsFoundByBoth() {
        application.run(context -> {
            SchedulerJobsEndpoint endpoint = context.getBean(SchedulerJobsEndpoint.class);
            context.getBean(Schedules.class)
                    .schedule("report")
                    .tenant("tenant-1")
                    .job("send-mail")
                    .payload(new Mail("ann"))
                    .cron("@yearly")
                    .zone("UTC")
                    .register();

            assertThat(endpoint.job("report", null)).isNull();
            assertThat(endpoint.job("report", "tenant-1").schedule().payload()).isEqualTo("{\"to\":\"ann\"}");
            assertThat(endpoint.act("report", "trigger", "tenant-1", "{\"to\": \"bob\"}", null)
                            .done())
                    .isTrue();
            await().until(() -> EndpointJobs.mails.contains("bob"));
            assertThat(context.getBean(Schedules.class).find(new ScheduleKey("tenant-1", "report")))
                    .isPresent();
        });
    }

    @Test
    void runsAreListedCancelledAndRetried() {
        application.run(context -> {
            SchedulerRunsEndpoint endpoint = context.getBean(SchedulerRunsEndpoint.class);
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            long endless = scheduler.enqueue("endless", null).id();
            long later = scheduler
                    .enqueue("send-mail", new Mail("ann"), options -> options.delay(Duration.ofHours(1)))
                    .id();
            await().until(() ->
                    endpoint.live(null, null, "running", null, null).runs().size() == 1);

            assertThat(endpoint.live(null, null, null, null, null).runs())
                    .extracting(RunSummary::runId)
                    .containsExactly(later, endless);
            assertThat(endpoint.live("send-mail", "default", null, null, null).runs())
                    .extracting(RunSummary::runId)
                    .containsExactly(later);

            assertThat(act(endpoint, later, "retry").done()).isTrue();
            await().until(() -> EndpointJobs.mails.contains("ann"));
            assertThat(act(endpoint, endless, "retry").message()).contains("RUNNING", "does not wait");
            assertThat(act(endpoint, endless, "cancel").done()).isTrue();
            await().until(() -> run(endpoint, endless).state().equals("CANCELLED"));
            assertThat(act(endpoint, endless, "cancel").message()).contains("CANCELLED", "not live");

            assertThat(run(endpoint, endless).operations())
                    .extracting(Operation::act)
                    .containsExactly(Act.CANCEL);
            assertThat(run(endpoint, later).operations())
                    .extracting(Operation::act)
                    .containsExactly(Act.RETRY);
            PastRuns past = (PastRuns) endpoint.run("past", null, null, null, null, null, null);
            assertThat(past.attempts()).extracting(PastAttempt::runId).containsExactlyInAnyOrder(endless, later);
            PastRuns cancelled = (PastRuns) endpoint.run("past", null, "cancelled", null, null, null, null);
            assertThat(cancelled.attempts()).extracting(PastAttempt::runId).containsExactly(endless);
            assertThat(endpoint.run("424242", null, null, null, null, null, null))
                    .isNull();
            assertThat(act(endpoint, 424242, "cancel")).isNull();
        });
    }

    private static Run run(SchedulerRunsEndpoint endpoint, long id) {
        return (Run) endpoint.run(Long.toString(id), null, null, null, null, null, null);
    }

    private static Done act(SchedulerRunsEndpoint endpoint, long id, String action) {
        return endpoint.act(Long.toString(id), action, null);
    }

    @Test
    void pagesFollowEachOther() {
        application.run(context -> {
            SchedulerRunsEndpoint endpoint = context.getBean(SchedulerRunsEndpoint.class);
            List<Long> ids = context
                    .getBean(JobScheduler.class)
                    .enqueueAll(
                            "send-mail",
                            List.of(1, 2, 3, 4, 5),
                            (number, options) -> options.delay(Duration.ofHours(1)))
                    .stream()
                    .map(run -> run.id())
                    .toList();

            SchedulerRunsEndpoint.LiveRuns first = endpoint.live(null, null, null, null, "3");
            SchedulerRunsEndpoint.LiveRuns second = endpoint.live(null, null, null, first.next(), "3");

            assertThat(first.runs()).extracting(RunSummary::runId).containsExactly(ids.get(4), ids.get(3), ids.get(2));
            assertThat(second.runs()).extracting(RunSummary::runId).containsExactly(ids.get(1), ids.get(0));
            assertThat(second.next()).isNull();
        });
    }
}
