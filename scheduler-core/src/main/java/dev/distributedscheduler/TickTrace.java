package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a tick, or of all ticks from one on.
 *
 * @param tick when it was due, or the first of several
 * @param until all ticks before this time are meant; null for a single tick
 * @param fate what became of it
 * @param runId the run that it became; null when it became none
 * @param reason for having been skipped: overlap, paused or misfire
 */
public record TickTrace(
        Instant tick,
        @Nullable Instant until,
        Fate fate,
        @Nullable Long runId,
        @Nullable String reason) {

    /** What can become of a tick. */
    public enum Fate {
        /** It became a run, which is live or has ended. */
        ENQUEUED,
        /** It did not and will not run. */
        SKIPPED,
        /** It was missed and will be made up for. */
        OWED
    }
}
