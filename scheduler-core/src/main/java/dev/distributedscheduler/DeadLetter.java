package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that will not be tried again by itself.
 *
 * @param runId identifies it, before and after a replay
 * @param scheduledTime the tick that the run was for; null for one that was not made by a schedule
 * @param attempts the number of its last attempt
 * @param outcome how that ended: FAILED, TIMED_OUT or LOST
 * @param errorType class of the exception, or a name for what happened without one
 * @param createdAt when the run was enqueued
 * @param diedAt when it became a dead letter
 */
public record DeadLetter(
        long runId,
        String job,
        String queue,
        @Nullable String idempotencyKey,
        @Nullable Instant scheduledTime,
        int attempts,
        String outcome,
        @Nullable String errorType,
        @Nullable String errorMessage,
        Instant createdAt,
        Instant diedAt) {

    /** Its place in a list; the next page begins behind the last one's. */
    public Position position() {
        return new Position(diedAt, runId);
    }

    /** A place between dead letters. */
    public record Position(Instant diedAt, long runId) {}
}
