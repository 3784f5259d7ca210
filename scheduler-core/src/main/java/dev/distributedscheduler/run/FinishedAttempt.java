package dev.distributedscheduler.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attempt on its way to the database.
 *
 * <p>Times are spans on the monotonic clock since the claim; together with the database's {@code claimed_at} they give
 * start and end in database time, without ever reading a node's wall clock.
 *
 * @param outcome how it ended
 * @param waited from claim to start; null when unknown
 * @param ran from start to end; null when unknown
 * @param retryIn wait before the next attempt, should there be one; null when it is of no use
 * @param failure the error; null for a completed attempt
 */
public record FinishedAttempt(
        ClaimedRun run,
        Outcome outcome,
        @Nullable Duration waited,
        @Nullable Duration ran,
        @Nullable Duration retryIn,
        @Nullable Failure failure) {

    public static FinishedAttempt completed(ClaimedRun run, Duration waited, Duration ran) {
        return new FinishedAttempt(run, Outcome.COMPLETED, waited, ran, Duration.ZERO, null);
    }

    /** An attempt whose node is gone; it is ready for another node at once. */
    public static FinishedAttempt lost(ClaimedRun run) {
        Failure failure = Failure.of("NodeLost", "Node %s stopped renewing its lease".formatted(run.nodeId()));
        return new FinishedAttempt(run, Outcome.LOST, null, null, Duration.ZERO, failure);
    }

    /** An attempt that its node could not even begin; costs nothing but the wait. */
    public static FinishedAttempt notBegun(ClaimedRun run, Throwable why, Duration retryIn) {
        return new FinishedAttempt(run, Outcome.INTERRUPTED, null, null, retryIn, Failure.of(why));
    }

    public boolean isCompleted() {
        return outcome == Outcome.COMPLETED;
    }
}
