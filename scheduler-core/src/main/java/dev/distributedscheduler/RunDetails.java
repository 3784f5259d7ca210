package dev.distributedscheduler;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run, live or ended, with what happened to it.
 *
 * @param state SCHEDULED, READY, BLOCKED, RUNNING, COMPLETED, DEAD or CANCELLED
 * @param live what only a live run has; null for one that has ended
 * @param attempts what is in the history, oldest first
 */
public record RunDetails(
        long runId,
        String job,
        String queue,
        String state,
        @Nullable Instant scheduledTime,
        @Nullable Live live,
        List<Attempt> attempts) {

    /**
     * The present of a live run.
     *
     * @param runAt when it is or was due
     * @param waitsFor why it is BLOCKED: for the limit of its KEY or its JOB, or as an ORPHAN for a node that knows its job
     * @param attempt number of the present or last attempt; 0 before the first
     * @param failures attempts used up
     * @param node name of the node that executes it
     * @param progress what the present attempt told
     * @param stuckSince when its handler was found to ignore its interrupt
     * @param stuckStack where the handler's thread stood then
     */
    public record Live(
            Instant runAt,
            @Nullable String waitsFor,
            @Nullable String idempotencyKey,
            int attempt,
            int failures,
            int maxAttempts,
            @Nullable String node,
            @Nullable Instant claimedAt,
            boolean cancelRequested,
            @Nullable Progress progress,
            @Nullable Instant stuckSince,
            @Nullable String stuckStack) {}

    /**
     * An attempt that has ended.
     *
     * @param outcome COMPLETED, FAILED, TIMED_OUT, INTERRUPTED, SNOOZED, LOST, STALE or CANCELLED
     * @param startedAt null for an attempt that did not begin, or nobody knows when
     */
    public record Attempt(
            int number,
            String outcome,
            @Nullable Instant startedAt,
            Instant finishedAt,
            @Nullable String errorType,
            @Nullable String errorMessage) {}
}
