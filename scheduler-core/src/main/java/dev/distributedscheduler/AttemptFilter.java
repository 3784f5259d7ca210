package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which attempts of the history; all conditions that are given must hold.
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param outcome COMPLETED, FAILED, TIMED_OUT, INTERRUPTED, SNOOZED, LOST, STALE or CANCELLED
 * @param finishedFrom the earliest end, by the database's clock
 * @param finishedBefore the end is earlier than this
 */
public record AttemptFilter(
        @Nullable String job,
        @Nullable String outcome,
        @Nullable Instant finishedFrom,
        @Nullable Instant finishedBefore) {

    public static final AttemptFilter ALL = new AttemptFilter(null, null, null, null);

    public AttemptFilter job(String name) {
        return new AttemptFilter(name, outcome, finishedFrom, finishedBefore);
    }

    public AttemptFilter outcome(String name) {
        return new AttemptFilter(job, name, finishedFrom, finishedBefore);
    }

    public AttemptFilter finishedFrom(Instant time) {
        return new AttemptFilter(job, outcome, time, finishedBefore);
    }

    public AttemptFilter finishedBefore(Instant time) {
        return new AttemptFilter(job, outcome, finishedFrom, time);
    }
}
