package dev.distributedscheduler.worker;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Things to happen at a point of the monotonic clock unless they are called off: timeouts and the end of a lease. */
public final class Deadlines implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "scheduler-deadlines");
        thread.setDaemon(true);
        return thread;
    });

    public Deadlines() {
        timer.setRemoveOnCancelPolicy(true);
    }

    /** The monotonic clock, for differences only. */
    public long now() {
        return System.nanoTime();
    }

    /** The act must be quick: others wait for their turn on the same thread. */
    public Future<?> in(Duration delay, Runnable act) {
        return timer.schedule(
                () -> {
                    try {
                        act.run();
                    } catch (Throwable failure) {
                        log.error("A deadline could not be acted upon", failure);
                    }
                },
                delay.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
