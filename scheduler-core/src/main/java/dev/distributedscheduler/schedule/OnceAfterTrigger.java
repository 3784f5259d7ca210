package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One tick, some time after the cluster first learns of the schedule.
 *
 * <p>The expression is the delay, not a point in time: all nodes declare the same, now and after a restart, and only the
 * first of them fixes the tick.
 */
public record OnceAfterTrigger(Duration delay) implements Trigger {

    public OnceAfterTrigger {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A delay cannot be negative, but is " + delay);
        }
    }

    @Override
    public Kind kind() {
        return Kind.ONCE;
    }

    @Override
    public String expression() {
        return delay.toString();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        return now.plus(delay);
    }

    @Override
    public @Nullable Instant next(Instant time) {
        return null;
    }

    @Override
    public boolean isSingle() {
        return true;
    }
}
