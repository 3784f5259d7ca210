package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last completed run before the present one: of its schedule, or of its job where no schedule made it.
 *
 * @param scheduledTime the tick that it was for; null for a run that was not made by a schedule
 * @param startedAt start of its completed attempt, by database time
 * @param finishedAt end of its completed attempt, by database time
 */
public record PreviousSuccess(long runId, @Nullable Instant scheduledTime, Instant startedAt, Instant finishedAt) {}
