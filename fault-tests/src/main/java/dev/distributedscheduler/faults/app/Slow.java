package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;

/** A job that has a single run, at once, and takes its time. */
final class Slow {

    private final LedgerFile ledger;
    private final Duration duration;

    Slow(LedgerFile ledger, @Value("${faults.slow}") Duration duration) {
        this.ledger = ledger;
        this.duration = duration;
    }

    /** Stops early when it is interrupted, but ends as if nothing had happened: the worst that a handler may do. */
    @DistributedScheduled(name = "slow", fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void run(JobContext context) {
        ledger.record(context, () -> {
            try {
                boolean unused = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException ignored) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
