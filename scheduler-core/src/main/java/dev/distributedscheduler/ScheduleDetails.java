package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is.
 *
 * @param trigger CRON, FIXED_RATE, FIXED_DELAY, ONCE or BEAN
 * @param expression of the trigger: cron expression, duration, time or name of the bean
 * @param state ACTIVE, PAUSED, RETIRED (nobody declares it any more, or it is switched off), ENDED (it has no further
 *     tick) or FAILED (its timing cannot be read)
 * @param stateReason why it is in that state
 * @param changedBy who paused or resumed it last
 * @param declared whether it is declared in code
 * @param lastTick the last tick that was dealt with
 * @param nextTick the next tick; null while it is not active, or waits for the end of a run
 * @param missedTicks whether missed ticks are still to be made up for
 */
public record ScheduleDetails(
        ScheduleKey key,
        String job,
        String trigger,
        String expression,
        @Nullable String zone,
        Duration shift,
        Misfire misfire,
        Overlap overlap,
        String state,
        @Nullable String stateReason,
        @Nullable String changedBy,
        boolean declared,
        @Nullable Instant lastTick,
        @Nullable Instant nextTick,
        boolean missedTicks,
        @Nullable String payload) {}
