package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls the handler of a run on the present thread and turns whatever happens into a result. */
final class RunExecutor {

    private final JobRegistry jobs;
    private final Function<Attempt, JobContext> contexts;
    private final RunTransactions transactions;
    private final Deadlines deadlines;
    private final SchedulerListener events;
    private AttemptInterceptor interceptor = AttemptInterceptor.NONE;

    RunExecutor(
            JobRegistry jobs,
            Function<Attempt, JobContext> contexts,
            RunTransactions transactions,
            Deadlines deadlines,
            SchedulerListener events) {
        this.jobs = jobs;
        this.contexts = contexts;
        this.transactions = transactions;
        this.deadlines = deadlines;
        this.events = events;
    }

    /** Lets somebody stand around each attempt; said before the first one. */
    RunExecutor intercepted(AttemptInterceptor other) {
        interceptor = other;
        return this;
    }

    FinishedAttempt execute(Attempt attempt) {
        ClaimedRun run = attempt.run();
        JobDefinition job = jobs.get(run.job());
        Throwable thrown = null;
        if (attempt.begin(deadlines.now())) {
            events.onEvent(new RunStarted(run));
            thrown = call(job, attempt);
        }
        Outcome cutShort = attempt.end();
        // A handler that was interrupted may have returned early as if all were well; so its return proves nothing.
        if (attempt.isRecorded() || (cutShort == null && thrown == null)) {
            return completed(attempt);
        }
        return new Verdict(run, job.policy(), cutShort, thrown, attempt.stuckStack())
                .attempt(attempt.waited(), attempt.ran(deadlines.now()));
    }

    private FinishedAttempt completed(Attempt attempt) {
        return FinishedAttempt.completed(attempt.run(), attempt.waited(), attempt.ran(deadlines.now()));
    }

    private @Nullable Throwable call(JobDefinition job, Attempt attempt) {
        Duration timeout = job.policy().timeout();
        Future<?> deadline = null;
        try (AttemptMdc named = new AttemptMdc(attempt.run())) {
            if (timeout != null) {
                deadline = deadlines.in(timeout, () -> attempt.cutShort(Outcome.TIMED_OUT, deadlines.now()));
            }
            RunTransactions.Call handler = new HandlerCall(job, attempt.run(), contexts.apply(attempt));
            AttemptInterceptor.Execution execution = job.policy().transactional()
                    ? () -> transactions.execute(attempt, handler, () -> completed(attempt))
                    : handler::run;
            interceptor.around(attempt.run(), execution);
            return null;
        } catch (Throwable any) { // errors too: they cost the attempt, never the worker
            return any;
        } finally {
            if (deadline != null) {
                deadline.cancel(false);
            }
        }
    }
}
