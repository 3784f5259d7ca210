package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
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
        Outcome outcome = cutShort == null ? Outcome.FAILED : cutShort;
        Duration retryIn = outcome.usesUpAttempt() ? job.retry().delayAfter(run.failures() + 1) : Duration.ZERO;
        return new FinishedAttempt(run, outcome, waited, ran, retryIn, failure(outcome, thrown, job));
    }

    private @Nullable Throwable call(JobDefinition job, Attempt attempt) {
        Duration timeout = job.timeout();
        Future<?> deadline = null;
        try {
            if (timeout != null) {
                deadline = deadlines.in(timeout, () -> attempt.cutShort(Outcome.TIMED_OUT));
            }
            job.handler().run(new AttemptContext(attempt.run()));
            return null;
        } catch (Throwable any) { // errors too: they cost the attempt, never the worker
            return any;
        } finally {
            if (deadline != null) {
                deadline.cancel(false);
            }
        }
    }

    private static Failure failure(Outcome outcome, @Nullable Throwable thrown, JobDefinition job) {
        Failure error = thrown == null ? null : Failure.of(thrown);
        if (outcome == Outcome.FAILED && error != null) {
            return error;
        }
        String why = outcome == Outcome.TIMED_OUT
                ? "Interrupted after %s".formatted(job.timeout())
                : "Interrupted because the node stopped or could not renew its lease";
        return new Failure(outcome.name(), why, error == null ? null : error.stackTrace());
    }
}
