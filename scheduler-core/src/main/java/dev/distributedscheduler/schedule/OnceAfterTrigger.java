package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One tick, some time after the cluster first learns of the schedule.
 *
 * <p>The expression is the delay, not a point in time: all nodes declare the same, now and after a restart, and only the
 * first of them fixes the tick.
 */
public record OnceAfterTrigger(Duration delay) implements Trigger {

    private static final String AFTER = "after ";

    public OnceAfterTrigger {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A delay cannot be negative, but is " + delay);
        }
    }

    /** The counterpart of {@link #expression()}; nothing when that of {@link OnceTrigger} is given. */
    public static Optional<OnceAfterTrigger> parse(String expression) {
        return expression.startsWith(AFTER)
                ? Optional.of(new OnceAfterTrigger(Duration.parse(expression.substring(AFTER.length()))))
                : Optional.empty();
    }

    @Override
    public Kind kind() {
        return Kind.ONCE;
    }

    @Override
    public String expression() {
        return AFTER + delay;
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
