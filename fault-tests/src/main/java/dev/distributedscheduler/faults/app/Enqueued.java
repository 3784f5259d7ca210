package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Jobs without schedules, whose runs the test enqueues. */
public final class Enqueued {

    /** How many runs of {@code limited} there may be at once. */
    public static final int LIMIT = 3;

    /** How often the run of {@code poison} is tried. */
    public static final int POISON_ATTEMPTS = 2;

    private final LedgerFile ledger;
    private final GoSign go;

    Enqueued(LedgerFile ledger, GoSign go) {
        this.ledger = ledger;
        this.go = go;
    }

    @DistributedJob("quick")
    void quick(JobContext context) {
        ledger.record(context, () -> {});
    }

    /** Takes until the test lets it end. */
    @DistributedJob("held")
    void held(JobContext context) {
        ledger.record(context, () -> go.await(context));
    }

    @DistributedJob(name = "limited", maxConcurrent = LIMIT)
    void limited(long millis, JobContext context) {
        ledger.record(context, () -> {
            try {
                boolean unused = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException ignored) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @DistributedJob(name = "poison", maxAttempts = POISON_ATTEMPTS)
    void poison(JobContext context) {
        ledger.record(context, () -> Runtime.getRuntime().halt(1));
    }
}
