package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;

/** Each bean of this class is a job of its own, named after the bean: {@code second-07.tick}. */
final class EverySecond {

    private final LedgerFile ledger;

    EverySecond(LedgerFile ledger) {
        this.ledger = ledger;
    }

    @DistributedScheduled(cron = "* * * * * *", zone = "UTC")
    void tick(JobContext context) {
        ledger.record(context, () -> {});
    }
}
