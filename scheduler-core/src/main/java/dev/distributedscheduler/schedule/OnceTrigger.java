package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** One tick, at a point in time. */
public record OnceTrigger(Instant at) implements Trigger {

    public OnceTrigger {
        at = at.truncatedTo(ChronoUnit.MICROS); // as exact as the database
    }

    @Override
    public Kind kind() {
        return Kind.ONCE;
    }

    @Override
    public String expression() {
        return at.toString();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        return at;
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
