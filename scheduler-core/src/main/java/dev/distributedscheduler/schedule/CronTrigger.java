package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/** Ticks of Spring's six-field cron syntax in a time zone. */
public record CronTrigger(CronExpression cron, ZoneId zoneId) implements Trigger {

    public static CronTrigger of(String expression, @Nullable String zone) {
        if (zone == null) {
            throw new IllegalArgumentException("A cron trigger needs a time zone");
        }
        return new CronTrigger(CronExpression.parse(expression), ZoneId.of(zone));
    }

    @Override
    public Kind kind() {
        return Kind.CRON;
    }

    @Override
    public String expression() {
        return cron.toString();
    }

    @Override
    public String zone() {
        return zoneId.getId();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        Instant first = next(now.plus(initialDelay));
        if (first == null) {
            throw new IllegalArgumentException("The cron expression '%s' never fires".formatted(cron));
        }
        return first;
    }

    @Override
    public @Nullable Instant next(Instant tick) {
        ZonedDateTime next = cron.next(tick.atZone(zoneId));
        return next == null ? null : next.toInstant();
    }
}
