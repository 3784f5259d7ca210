package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that has ended, as lists show it.
 *
 * @param scheduledTime the tick that its run was for; null for one that was not made by a schedule
 * @param attempt its number; 0 for a run that was cancelled before the first
 * @param outcome COMPLETED, FAILED, TIMED_OUT, INTERRUPTED, SNOOZED, LOST, STALE or CANCELLED
 * @param runAt when it was due
 * @param startedAt null for an attempt that did not begin, or nobody knows when
 * @param duration from start to end
 */
public record PastAttempt(
        long runId,
        String job,
        String queue,
        @Nullable Instant scheduledTime,
        int attempt,
        String outcome,
        Instant runAt,
        @Nullable Instant startedAt,
        Instant finishedAt,
        @Nullable Duration duration,
        @Nullable String errorType,
        @Nullable String errorMessage) {}
