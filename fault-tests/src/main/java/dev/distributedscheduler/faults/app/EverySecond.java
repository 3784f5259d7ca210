package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Overlap;

/**
 * Each bean of this class is a job of its own, named after the bean: {@code second-07.tick}. Every tick counts, also while
 * another one still runs, or waits for a worker that was killed.
 */
final class EverySecond {

    private final LedgerFile ledger;

    EverySecond(LedgerFile ledger) {
        this.ledger = ledger;
    }

    @DistributedScheduled(cron = "* * * * * *", zone = "UTC", overlap = Overlap.ALLOW)
    void tick(JobContext context) {
        ledger.record(context, () -> {});
    }
}
