package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.JobDetails;
import dev.distributedscheduler.JobStatistics;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.Page;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Endpoint that shows jobs and their schedules, pauses and resumes them, and makes runs of them. */
@Endpoint(id = "schedulerjobs", defaultAccess = Access.READ_ONLY)
public final class SchedulerJobsEndpoint {

    private static final List<String> STATES = List.of("ACTIVE", "PAUSED", "RETIRED", "ENDED", "FAILED");
    private static final int TICKS = 5;
    private static final int LAST_OPERATIONS = 20;

    private final Schedules schedules;
    private final Cluster cluster;
    private final JobViews views;
    private final Operations operations;
    private final Secrets secrets;

    /** What not everybody may see, or type. */
    record Secrets(Payloads payloads, Visibility visibility) {}

    SchedulerJobsEndpoint(
            Schedules schedules, Cluster cluster, JobViews views, Operations operations, Secrets secrets) {
        this.schedules = schedules;
        this.cluster = cluster;
        this.views = views;
        this.operations = operations;
        this.secrets = secrets;
    }

    /** What can be done to a job. */
    enum Action {
        PAUSE,
        RESUME,
        TRIGGER
    }

    /** Schedules, by tenant and name; with the first page the jobs. */
    @ReadOperation
    public Jobs list(
            @Nullable String tenant,
            @Nullable String prefix,
            @Nullable String job,
            @Nullable String state,
            @Nullable String after,
            @Nullable String size) {
        return list(tenant, prefix, job, state, after, size, SecurityContext.NONE);
    }

    Jobs list(
            @Nullable String tenant,
            @Nullable String prefix,
            @Nullable String job,
            @Nullable String state,
            @Nullable String after,
            @Nullable String size,
            SecurityContext asking) {
        ScheduleFilter filter = new ScheduleFilter(
                tenant == null || tenant.isEmpty() ? tenant : Parameters.name("tenant", tenant),
                Parameters.nameOrNull("prefix", prefix),
                Parameters.nameOrNull("job", job),
                Parameters.choiceOrNull("state", state, STATES));
        int most = Parameters.size(size, Schedules.DEFAULT_PAGE, Schedules.LARGEST_PAGE);
        Page<ScheduleDetails> page = Refusals.translated(() -> schedules.page(filter, after, most));
        List<Schedule> shown =
                page.items().stream().map(found -> shown(found, asking)).toList();
        return new Jobs(after == null ? jobs(filter) : null, shown, page.next());
    }

    private List<JobDetails> jobs(ScheduleFilter filter) {
        return filter.job() == null
                ? cluster.jobs(filter.namePrefix())
                : cluster.job(filter.job()).stream().toList();
    }

    /** A schedule and its job; or a job that has no schedule of its name. */
    @ReadOperation
    public @Nullable Job job(@Selector String name, @Nullable String tenant) {
        return job(name, tenant, SecurityContext.NONE);
    }

    @Nullable
    Job job(String name, @Nullable String tenant, SecurityContext asking) {
        ScheduleKey key = Parameters.key(tenant, name);
        Optional<ScheduleDetails> schedule = schedules.find(key);
        String job = schedule.map(ScheduleDetails::job).orElse(name);
        Optional<JobDetails> declared =
                schedule.isPresent() || key.tenant().isEmpty() ? cluster.job(job) : Optional.empty();
        if (schedule.isEmpty() && declared.isEmpty()) {
            return null;
        }
        return new Job(
                declared.orElse(null),
                schedule.map(found -> shown(found, asking)).orElse(null),
                schedule.isPresent() ? schedules.preview(key, TICKS) : List.of(),
                views.lastDay(job),
                schedule.isPresent()
                        ? operations.ofSchedule(key, LAST_OPERATIONS)
                        : operations.ofJob(job, LAST_OPERATIONS));
    }

    /** One more look at a schedule or job: the next "ticks", the "trace" of those that were, or the "statistics". */
    @ReadOperation
    public @Nullable OperationResponseBody view(
            @Selector String name,
            @Selector String view,
            @Nullable String tenant,
            @Nullable String from,
            @Nullable String until,
            @Nullable String size) {
        ScheduleKey key = Parameters.key(tenant, name);
        JobViews.View chosen = Parameters.choice("view", view, JobViews.View.class);
        return views.look(key, chosen, new JobViews.Span(from, until, size));
    }

    private Schedule shown(ScheduleDetails found, SecurityContext asking) {
        return Schedule.of(found, secrets.visibility().of(found.payload(), asking));
    }

    /**
     * Pauses or resumes a schedule, or makes a run of it now; of a job without a schedule too.
     *
     * @param payload instead of the schedule's; JSON in a text
     */
    @WriteOperation
    public @Nullable Done act(
            @Selector String name,
            @Nullable String action,
            @Nullable String tenant,
            @Nullable String payload,
            @Nullable String reason) {
        return act(name, action, tenant, payload, reason, SecurityContext.NONE);
    }

    @Nullable
    Done act(
            String name,
            @Nullable String action,
            @Nullable String tenant,
            @Nullable String payload,
            @Nullable String reason,
            SecurityContext asking) {
        ScheduleKey key = Parameters.key(tenant, name);
        Note note = Parameters.note(asking, reason);
        return switch (Parameters.choice("action", action, Action.class)) {
            case PAUSE -> answer(Act.PAUSE, key, operations.pause(key, note));
            case RESUME -> answer(Act.RESUME, key, operations.resume(key, note));
            case TRIGGER -> trigger(key, payload, note);
        };
    }

    private @Nullable Done answer(Act act, ScheduleKey key, boolean done) {
        if (done) {
            return new Done(act, true, null, null, null);
        }
        return schedules
                .find(key)
                .map(found -> Done.not(act, null, "The schedule is %s".formatted(found.state())))
                .orElse(null);
    }

    private @Nullable Done trigger(ScheduleKey key, @Nullable String payload, Note note) {
        Object read = payload == null ? null : secrets.payloads().read(payload);
        Optional<Long> run = payload == null
                ? operations.trigger(key, note)
                : Refusals.translated(() -> operations.trigger(key, read, note));
        if (run.isPresent()) {
            return Done.run(Act.TRIGGER, run.get());
        }
        if (!key.tenant().isEmpty() || cluster.job(key.name()).isEmpty()) {
            return null;
        }
        return Done.run(
                Act.TRIGGER,
                Refusals.translated(() -> operations.enqueue(key.name(), read, note))
                        .id());
    }

    /**
     * Schedules and jobs.
     *
     * @param jobs only with the first page
     */
    public record Jobs(
            @Nullable List<JobDetails> jobs,
            List<Schedule> schedules,
            @Nullable String next) implements OperationResponseBody {}

    /**
     * A schedule and its job, or a job without one.
     *
     * @param nextTicks the first ticks to come
     * @param lastDay how its job's attempts went
     * @param operations the last things that were done to it
     */
    public record Job(
            @Nullable JobDetails job,
            @Nullable Schedule schedule,
            List<TickPreview> nextTicks,
            JobStatistics lastDay,
            List<Operation> operations)
            implements OperationResponseBody {}
}
