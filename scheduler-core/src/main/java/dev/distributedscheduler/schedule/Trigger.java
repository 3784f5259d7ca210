package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Yields the ticks of a schedule.
 *
 * <p>Ticks are computed from earlier ticks and database time only, so every node computes the same ones.
 */
public sealed interface Trigger
        permits CronTrigger, FixedRateTrigger, FixedDelayTrigger, OnceTrigger, OnceAfterTrigger, BeanTrigger {

    /** How the trigger is told apart in the database. */
    Kind kind();

    /** The trigger as stored: a cron expression, an ISO-8601 duration or instant, or the name of a bean. */
    String expression();

    /** Zone id of the expression; null where zones mean nothing. */
    default @Nullable String zone() {
        return null;
    }

    /** First tick of a schedule that becomes known at {@code now}; null when there is none any more. */
    @Nullable
    Instant first(Instant now, Duration initialDelay);

    /** The first tick after the given time; null when it depends on the end of a run, or when there is none. */
    @Nullable
    Instant next(Instant time);

    /** The first tick that is not before {@code earliest}, given an earlier one. */
    default @Nullable Instant firstFrom(Instant tick, Instant earliest) {
        return next(earliest.minusNanos(1));
    }

    /** Whether there is one tick only, until somebody sets another: late beats never. */
    default boolean isSingle() {
        return false;
    }

    /** Kinds of trigger, by the names the database knows. */
    enum Kind {
        CRON,
        FIXED_RATE,
        FIXED_DELAY,
        ONCE,
        BEAN
    }
}
