package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A live run, as lists show it.
 *
 * @param state SCHEDULED, READY, BLOCKED or RUNNING
 * @param scheduledTime the tick that it is for; null for one that was not made by a schedule
 * @param runAt when it is or was due
 * @param waitsFor why it is BLOCKED: for the limit of its KEY or its JOB, or as an ORPHAN for a node that knows its job
 * @param attempt number of the present or last attempt; 0 before the first
 * @param failures attempts used up
 * @param node name of the node that executes it
 * @param stuckSince when its handler was found to ignore its interrupt
 */
public record RunSummary(
        long runId,
        String job,
        String queue,
        String state,
        @Nullable Instant scheduledTime,
        Instant createdAt,
        Instant runAt,
        @Nullable String waitsFor,
        int attempt,
        int failures,
        int maxAttempts,
        @Nullable String node,
        @Nullable Instant claimedAt,
        boolean cancelRequested,
        @Nullable Instant stuckSince) {}
