package dev.distributedscheduler.dispatch;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Something to be done every so often, first at once. */
final class Every {

    private final long period;
    private final LongSupplier nanoTime;
    private long next;

    Every(Duration period, LongSupplier nanoTime) {
        this.period = period.toNanos();
        this.nanoTime = nanoTime;
        this.next = nanoTime.getAsLong();
    }

    boolean isDue() {
        return next - nanoTime.getAsLong() <= 0;
    }

    void done() {
        next = nanoTime.getAsLong() + period;
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, next - nanoTime.getAsLong()));
    }
}
