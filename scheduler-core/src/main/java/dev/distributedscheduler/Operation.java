package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody did, as it is on record.
 *
 * @param act what was done
 * @param who did it; null for somebody whom the application does not know
 * @param reason that was given
 * @param schedule what it was done to; null when it was a run, or a job without a schedule
 * @param job what it was done to, if it is a job without a schedule
 * @param runId what it was done to, or what came of it
 */
public record Operation(
        Instant at,
        Act act,
        @Nullable String who,
        @Nullable String reason,
        @Nullable ScheduleKey schedule,
        @Nullable String job,
        @Nullable Long runId) {

    /** What can be done. */
    public enum Act {
        PAUSE,
        RESUME,
        TRIGGER,
        CANCEL,
        RETRY,
        REPLAY,
        DISCARD
    }
}
