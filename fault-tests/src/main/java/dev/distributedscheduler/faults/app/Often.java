package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Overlap;

/** A job with many ticks a second, to see how long none was dispatched; each counts, also while another one still runs. */
final class Often {

    private final LedgerFile ledger;

    Often(LedgerFile ledger) {
        this.ledger = ledger;
    }

    @DistributedScheduled(name = "often", fixedRateString = "${faults.often}", overlap = Overlap.ALLOW)
    void tick(JobContext context) {
        ledger.record(context, () -> {});
    }
}
