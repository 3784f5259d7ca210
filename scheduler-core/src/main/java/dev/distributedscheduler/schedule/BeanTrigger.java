package dev.distributedscheduler.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * Ticks of a bean of the application. Only nodes that have the bean can compute them, and they must agree on them: the
 * bean is told the time after which the next tick is wanted, as clock and as the last execution, and nothing else.
 *
 * @param name of the bean
 */
public record BeanTrigger(String name, org.springframework.scheduling.Trigger bean) implements Trigger {

    @Override
    public Kind kind() {
        return Kind.BEAN;
    }

    @Override
    public String expression() {
        return name;
    }

    @Override
    public @Nullable Instant first(Instant now, Duration initialDelay) {
        return next(now.plus(initialDelay));
    }

    @Override
    public @Nullable Instant next(Instant time) {
        SimpleTriggerContext context = new SimpleTriggerContext(Clock.fixed(time, ZoneOffset.UTC));
        context.update(time, time, time);
        Instant next = bean.nextExecution(context);
        if (next != null && !next.isAfter(time)) {
            throw new IllegalArgumentException(
                    "The trigger bean '%s' yields %s, which is not after %s".formatted(name, next, time));
        }
        return next == null ? null : next.truncatedTo(ChronoUnit.MICROS);
    }
}
