package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that is RUNNING and should not be any more.
 *
 * @param attempt the present one
 * @param node name of the node that executes it; null when that node is gone
 * @param running for how long, since its claim
 * @param explanation the reason in words, with the figures that led to it
 */
public record StuckRun(
        long runId,
        String job,
        String queue,
        int attempt,
        @Nullable String node,
        Instant claimedAt,
        Duration running,
        Reason reason,
        String explanation) {

    /** Why; of several reasons the first counts. */
    public enum Reason {
        /** The node that executes it is gone or has missed heartbeats; the leader takes the run back when its lease ends. */
        NODE_LATE,
        /** Its handler was interrupted and ignores that. */
        IGNORES_INTERRUPT,
        /** It has outlived its timeout. */
        OVER_TIMEOUT,
        /** It takes far longer than runs of its job usually do. */
        UNUSUALLY_LONG
    }
}
