package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A tick a fixed time after the previous run has reached its end; the completion of that run sets it. */
public record FixedDelayTrigger(Duration delay) implements Trigger {

    public FixedDelayTrigger {
        Periods.check(delay, "fixed delay");
    }

    @Override
    public Kind kind() {
        return Kind.FIXED_DELAY;
    }

    @Override
    public String expression() {
        return delay.toString();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        return now.plus(initialDelay);
    }

    @Override
    public @Nullable Instant next(Instant tick) {
        return null;
    }

    @Override
    public boolean isSingle() {
        return true;
    }
}
