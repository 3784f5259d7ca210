package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;

/** A job with many ticks a second, to see how long none was dispatched. */
final class Often {

    private final LedgerFile ledger;

    Often(LedgerFile ledger) {
        this.ledger = ledger;
    }

    @DistributedScheduled(name = "often", fixedRateString = "${faults.often}")
    void tick(JobContext context) {
        ledger.record(context, () -> {});
    }
}
