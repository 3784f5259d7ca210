package dev.distributedscheduler.run;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as its claimer got it: the right, proven by the token, to execute one attempt.
 *
 * @param failures failed and lost attempts before this one
 * @param scheduleId the schedule that made it; null for an enqueued run
 * @param snoozes how often it asked for another attempt without using one up
 * @param tickAt the tick it is for; null for an enqueued run
 * @param trace what the enqueuer wanted to be found again where the run is executed; null for none
 */
public record ClaimedRun(
        long id,
        String job,
        String queue,
        UUID nodeId,
        int attempt,
        long token,
        int failures,
        @Nullable Long scheduleId,
        @Nullable Instant tickAt,
        Instant runAt,
        Instant claimedAt,
        @Nullable String idempotencyKey,
        @Nullable String payload,
        int snoozes,
        @Nullable String trace) {}
