package dev.distributedscheduler.loop;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Something to be done every so often, first at once. */
public final class Every {

    private final long period;
    private final LongSupplier nanoTime;
    private long next;

    public Every(Duration period, LongSupplier nanoTime) {
        this.period = period.toNanos();
        this.nanoTime = nanoTime;
        this.next = nanoTime.getAsLong();
    }

    public boolean isDue() {
        return next - nanoTime.getAsLong() <= 0;
    }

    public void done() {
        next = nanoTime.getAsLong() + period;
    }
}
