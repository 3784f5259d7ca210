package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.PermanentFailureException;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Calls the handler of a run on the present thread and turns whatever happens into a result. */
final class RunExecutor {

    private final JobRegistry jobs;
    private final Deadlines deadlines;
    private final SchedulerListener events;

    RunExecutor(JobRegistry jobs, Deadlines deadlines, SchedulerListener events) {
        this.jobs = jobs;
        this.deadlines = deadlines;
        this.events = events;
    }

    FinishedAttempt execute(Attempt attempt) {
        ClaimedRun run = attempt.run();
        JobDefinition job = jobs.get(run.job());
        long started = deadlines.now();
        Throwable thrown = null;
        if (attempt.begin()) {
            events.onEvent(new RunStarted(run));
            thrown = call(job, attempt);
        }
        Outcome cutShort = attempt.end();
        Duration waited = Duration.ofNanos(started - attempt.claimedNanos());
        Duration ran = Duration.ofNanos(deadlines.now() - started);
        // A handler that was interrupted may have returned early as if all were well; so its return proves nothing.
        if (cutShort == null && thrown == null) {
            return FinishedAttempt.completed(run, waited, ran);
        }
        return new Verdict(run, job.policy(), cutShort, thrown).attempt(waited, ran);
    }

    private @Nullable Throwable call(JobDefinition job, Attempt attempt) {
        Duration timeout = job.policy().timeout();
        Future<?> deadline = null;
        try {
            if (timeout != null) {
                deadline = deadlines.in(timeout, () -> attempt.cutShort(Outcome.TIMED_OUT));
            }
            invoke(job.handler(), payload(job, attempt.run()), new AttemptContext(attempt.run()));
            return null;
        } catch (Throwable any) { // errors too: they cost the attempt, never the worker
            return any;
        } finally {
            if (deadline != null) {
                deadline.cancel(false);
            }
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the reader has made what the handler said it wants
    private static void invoke(JobHandler<?> handler, @Nullable Object payload, JobContext context) throws Exception {
        ((JobHandler<@Nullable Object>) handler).run(payload, context);
    }

    private static @Nullable Object payload(JobDefinition job, ClaimedRun run) {
        try {
            return job.payload().read(run.payload());
        } catch (RuntimeException unfit) {
            throw new PermanentFailureException("The payload does not fit: " + unfit.getMessage(), unfit);
        }
    }
}
