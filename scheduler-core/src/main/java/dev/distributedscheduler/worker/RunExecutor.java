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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls the handler of a run on the present thread and turns whatever happens into a result. */
final class RunExecutor {

    private final JobRegistry jobs;
    private final Function<Attempt, JobContext> contexts;
    private final RunTransactions transactions;
    private final Deadlines deadlines;
    private final SchedulerListener events;
    private final AttemptInterceptor interceptor;

    RunExecutor(
            JobRegistry jobs,
            Function<Attempt, JobContext> contexts,
            RunTransactions transactions,
            Deadlines deadlines,
            SchedulerListener events) {
        this(jobs, contexts, transactions, deadlines, events, AttemptInterceptor.NONE);
    }

    private RunExecutor(
            JobRegistry jobs,
            Function<Attempt, JobContext> contexts,
            RunTransactions transactions,
            Deadlines deadlines,
            SchedulerListener events,
            AttemptInterceptor interceptor) {
        this.jobs = jobs;
        this.contexts = contexts;
        this.transactions = transactions;
        this.deadlines = deadlines;
        this.events = events;
        this.interceptor = interceptor;
    }

    /** The same with somebody around each attempt. */
    RunExecutor intercepted(AttemptInterceptor other) {
        return new RunExecutor(jobs, contexts, transactions, deadlines, events, other);
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
            RunTransactions.Call handler =
                    () -> invoke(job.handler(), payload(job, attempt.run()), contexts.apply(attempt));
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
