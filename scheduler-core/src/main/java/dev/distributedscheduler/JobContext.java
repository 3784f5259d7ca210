package dev.distributedscheduler;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may know about the attempt it is executing.
 *
 * <p>A handler with effects outside the database makes them idempotent with {@link #runId()}, which all attempts of a
 * run share, or fences them with {@link #token()}, which only rises.
 */
public interface JobContext {

    /** Name of the job. */
    String job();

    /** Identifies the run; the same for all its attempts. */
    long runId();

    /** Number of this attempt, rising from 1; gaps are possible. */
    int attempt();

    /** Fencing token of this attempt: greater than that of every attempt claimed before it, of any run. */
    long token();

    /** The key that the run was enqueued with; null when it was without one. */
    @Nullable
    String idempotencyKey();

    /**
     * Makes sure that this attempt is still the current one of its run, and keeps it so until the present transaction on
     * the scheduler's database ends: a worker that was frozen and has lost its run cannot commit what it did.
     *
     * <p>Best called last: from here on the transaction must not stand still for longer than a third of the node's lease, or
     * the server ends it, so that a frozen worker cannot keep its run for ever.
     *
     * @throws LostOwnershipException when the run has been taken from this node
     */
    void assertOwned();

    /** Whether the attempt should end soon: it was cancelled, timed out, or its node is stopping or has lost its lease. */
    boolean isCancelled();

    /** The tick that this run is for, by database time; null for a run that was not made by a schedule. */
    @Nullable
    Instant scheduledTime();

    /**
     * The last completed run before this one, of the same schedule or else of the same job: where an incremental job goes
     * on. Asks the database at each call.
     */
    Optional<PreviousSuccess> previousSuccess();

    /**
     * Tells how far this attempt has come, for people who look at the run. Costs next to nothing: about once a second the
     * last call counts, and the node writes what all its attempts told in one statement.
     *
     * @param total 0 when unknown
     */
    default void progress(long done, long total) {
        progress(done, total, null);
    }

    /** As {@link #progress(long, long)}, with a message; a long one is cut. */
    void progress(long done, long total, @Nullable String message);
}
