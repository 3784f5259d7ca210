package dev.distributedscheduler.worker;

import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.event.SchedulerEvent.RunStuck;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.StorableText;
import dev.distributedscheduler.store.RunReports;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Finds handlers that ignore their interrupt, makes them known, and gives their runs up where the job says so. */
final class StuckHandlers {

    private final JobRegistry jobs;
    private final RunReports reports;
    private final Duration patience;
    private final Deadlines clock;
    private final SchedulerListener events;

    /** @param patience how long an interrupted handler may take to return */
    StuckHandlers(JobRegistry jobs, RunReports reports, Duration patience, Deadlines clock, SchedulerListener events) {
        this.jobs = jobs;
        this.reports = reports;
        this.patience = patience;
        this.clock = clock;
        this.events = events;
    }

    /** @param abandon gives an attempt up with the result */
    void check(Attempt attempt, BiConsumer<Attempt, FinishedAttempt> abandon) {
        attempt.foundStuck(patience, clock.now()).ifPresent(stack -> stuck(attempt, stack, abandon));
    }

    private void stuck(Attempt attempt, String stack, BiConsumer<Attempt, FinishedAttempt> abandon) {
        JobPolicy policy = jobs.get(attempt.run().job()).policy();
        Outcome cutShort = attempt.cutShort();
        // a node that stops or has lost its lease leaves its runs to the others anyway
        boolean mayAbandon = policy.whenStuck() == WhenStuck.ABANDON && cutShort != Outcome.INTERRUPTED;
        boolean abandoned = mayAbandon && attempt.abandon();
        if (cutShort != null) {
            events.onEvent(new RunStuck(attempt.run(), cutShort, stack, abandoned));
        }
        if (abandoned) {
            Verdict verdict = new Verdict(attempt.run(), policy, cutShort, null, stack);
            abandon.accept(attempt, verdict.attempt(attempt.waited(), attempt.ran(clock.now())));
        } else {
            reports.stuck(attempt.run(), StorableText.of(stack, Failure.LONGEST_TRACE));
        }
    }
}
