package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;

/** A tick every period, counted from tick to tick, so that lateness does not add up. */
public record FixedRateTrigger(Duration period) implements Trigger {

    public FixedRateTrigger {
        Periods.check(period, "fixed rate");
    }

    @Override
    public Kind kind() {
        return Kind.FIXED_RATE;
    }

    @Override
    public String expression() {
        return period.toString();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        return now.plus(initialDelay);
    }

    @Override
    public Instant next(Instant tick) {
        return tick.plus(period);
    }

    @Override
    public Instant firstFrom(Instant tick, Instant earliest) {
        long periods = Duration.between(tick, earliest).minusNanos(1).dividedBy(period) + 1;
        return tick.plus(period.multipliedBy(periods));
    }
}
