package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleDetails;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A schedule as the endpoint shows it; see {@link ScheduleDetails}. */
public record Schedule(
        String tenant,
        String name,
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
        @Nullable String payload) {

    static Schedule of(ScheduleDetails found, @Nullable String payload) {
        return new Schedule(
                found.key().tenant(),
                found.key().name(),
                found.job(),
                found.trigger(),
                found.expression(),
                found.zone(),
                found.shift(),
                found.misfire(),
                found.overlap(),
                found.state(),
                found.stateReason(),
                found.changedBy(),
                found.declared(),
                found.lastTick(),
                found.nextTick(),
                found.missedTicks(),
                payload);
    }
}
