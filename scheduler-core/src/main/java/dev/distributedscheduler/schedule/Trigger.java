package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Yields the ticks of a schedule.
 *
 * <p>Ticks are computed from earlier ticks and database time only, so every node computes the same ones.
 */
public sealed interface Trigger permits CronTrigger, FixedRateTrigger, FixedDelayTrigger {

    /** How the trigger is told apart in the database. */
    Kind kind();

    /** The trigger as stored: a cron expression or an ISO-8601 duration. */
    String expression();

    /** Zone id of the expression; null where zones mean nothing. */
    @Nullable
    String zone();

    /** First tick of a schedule that becomes known at {@code now}. */
    Instant first(Instant now, Duration initialDelay);

    /** The tick that follows {@code tick}; null when it depends on the end of a run, or when there is none. */
    @Nullable
    Instant next(Instant tick);

    /** Reads a trigger as stored; throws IllegalArgumentException or DateTimeException when it is invalid. */
    static Trigger of(Kind kind, String expression, @Nullable String zone) {
        return switch (kind) {
            case CRON -> CronTrigger.of(expression, zone);
            case FIXED_RATE -> new FixedRateTrigger(Duration.parse(expression));
            case FIXED_DELAY -> new FixedDelayTrigger(Duration.parse(expression));
        };
    }

    /** Kinds of trigger, by the names the database knows. */
    enum Kind {
        CRON,
        FIXED_RATE,
        FIXED_DELAY
    }
}
