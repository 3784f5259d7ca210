package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.AttemptFilter;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.Page;
import dev.distributedscheduler.PastAttempt;
import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.RunDetails.Attempt;
import dev.distributedscheduler.RunDetails.Live;
import dev.distributedscheduler.RunFilter;
import dev.distributedscheduler.RunSummary;
import dev.distributedscheduler.Runs;
import java.time.Instant;
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

/** Endpoint that shows live and past runs, cancels them, and puts waiting ones in line at once. */
@Endpoint(id = "schedulerruns", defaultAccess = Access.READ_ONLY)
public final class SchedulerRunsEndpoint {

    private static final List<String> STATES = List.of("SCHEDULED", "READY", "BLOCKED", "RUNNING");
    private static final List<String> OUTCOMES =
            List.of("COMPLETED", "FAILED", "TIMED_OUT", "INTERRUPTED", "SNOOZED", "LOST", "STALE", "CANCELLED");

    private final Runs runs;
    private final Operations operations;
    private final Visibility visibility;

    SchedulerRunsEndpoint(Runs runs, Operations operations, Visibility visibility) {
        this.runs = runs;
        this.operations = operations;
        this.visibility = visibility;
    }

    /** What can be done to a run. */
    enum Action {
        CANCEL,
        RETRY
    }

    /** Live runs, newest first. */
    @ReadOperation
    public LiveRuns live(
            @Nullable String job,
            @Nullable String queue,
            @Nullable String state,
            @Nullable String after,
            @Nullable String size) {
        RunFilter filter = new RunFilter(
                Parameters.nameOrNull("job", job),
                Parameters.nameOrNull("queue", queue),
                Parameters.choiceOrNull("state", state, STATES));
        int most = Parameters.size(size, Runs.DEFAULT_PAGE, Runs.LARGEST_PAGE);
        Page<RunSummary> page = Refusals.translated(() -> runs.live(filter, after, most));
        return new LiveRuns(page.items(), page.next());
    }

    /** One run; or, under the name "past", the attempts that have ended, latest first. */
    @ReadOperation
    public @Nullable OperationResponseBody run(
            @Selector String id,
            @Nullable String job,
            @Nullable String outcome,
            @Nullable String from,
            @Nullable String before,
            @Nullable String after,
            @Nullable String size) {
        return run(id, job, outcome, from, before, after, size, SecurityContext.NONE);
    }

    @Nullable
    OperationResponseBody run(
            String id,
            @Nullable String job,
            @Nullable String outcome,
            @Nullable String from,
            @Nullable String before,
            @Nullable String after,
            @Nullable String size,
            SecurityContext asking) {
        if (id.equals("past")) {
            AttemptFilter filter = new AttemptFilter(
                    Parameters.nameOrNull("job", job),
                    Parameters.choiceOrNull("outcome", outcome, OUTCOMES),
                    Parameters.timeOrNull("from", from),
                    Parameters.timeOrNull("before", before));
            return past(filter, after, Parameters.size(size, Runs.DEFAULT_PAGE, Runs.LARGEST_PAGE));
        }
        return run(Parameters.runId(id), asking);
    }

    private PastRuns past(AttemptFilter filter, @Nullable String after, int most) {
        Page<PastAttempt> page = Refusals.translated(() -> runs.past(filter, after, most));
        return new PastRuns(page.items(), page.next());
    }

    private @Nullable Run run(long id, SecurityContext asking) {
        List<Operation> done = operations.ofRun(id, Operations.LARGEST_PAGE);
        return runs.find(id)
                .map(found -> new Run(
                        id,
                        found.job(),
                        found.queue(),
                        found.state(),
                        found.scheduledTime(),
                        found.live() == null ? null : shown(found.live(), asking),
                        found.attempts(),
                        done))
                .orElse(null);
    }

    private Live shown(Live live, SecurityContext asking) {
        return new Live(
                live.runAt(),
                live.waitsFor(),
                live.idempotencyKey(),
                live.attempt(),
                live.failures(),
                live.maxAttempts(),
                live.node(),
                live.claimedAt(),
                live.cancelRequested(),
                live.progress(),
                live.stuckSince(),
                visibility.of(live.stuckStack(), asking));
    }

    /** Cancels a run, or puts one that waits for its time in line. */
    @WriteOperation
    public @Nullable Done act(@Selector String id, @Nullable String action, @Nullable String reason) {
        return act(id, action, reason, SecurityContext.NONE);
    }

    @Nullable
    Done act(String id, @Nullable String action, @Nullable String reason, SecurityContext asking) {
        long runId = Parameters.runId(id);
        Note note = Parameters.note(asking, reason);
        return switch (Parameters.choice("action", action, Action.class)) {
            case CANCEL -> answer(Act.CANCEL, runId, operations.cancel(runId, note), "is not live any more");
            case RETRY -> answer(Act.RETRY, runId, operations.retryNow(runId, note), "does not wait for a time");
        };
    }

    private @Nullable Done answer(Act act, long runId, boolean done, String why) {
        if (done) {
            return Done.run(act, runId);
        }
        Optional<RunDetails> run = runs.find(runId);
        return run.map(found -> Done.not(act, runId, "The run is %s: it %s".formatted(found.state(), why)))
                .orElse(null);
    }

    /** Live runs. */
    public record LiveRuns(List<RunSummary> runs, @Nullable String next) implements OperationResponseBody {}

    /** Attempts that have ended. */
    public record PastRuns(
            List<PastAttempt> attempts, @Nullable String next) implements OperationResponseBody {}

    /** A run, what happened to it, and what was done to it. */
    public record Run(
            long runId,
            String job,
            String queue,
            String state,
            @Nullable Instant scheduledTime,
            @Nullable Live live,
            List<Attempt> attempts,
            List<Operation> operations)
            implements OperationResponseBody {}
}
