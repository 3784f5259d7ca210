package dev.distributedscheduler;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runs that used up their attempts or failed for good: to look at, to run again, to throw away.
 *
 * <p>A replay is a new life of the same run: it keeps its id, its tick and its idempotency key, goes on counting attempts
 * where it stopped, and has all its retries before it. It joins the caller's Spring transaction on the scheduler's database,
 * as {@link JobScheduler} does, and so does discarding.
 *
 * <pre>{@code
 * deadLetters.replayAll(DeadLetterFilter.ALL.job("send-invoice").errorType(ConnectException.class), 1_000);
 * }</pre>
 */
public interface DeadLetters {

    int DEFAULT_PAGE = 50;
    int LARGEST_PAGE = 500;
    int LARGEST_BATCH = 10_000;

    /** The newest ones that match. */
    default List<DeadLetter> list(DeadLetterFilter filter) {
        return list(filter, null, DEFAULT_PAGE);
    }

    /**
     * A page of those that match, newest first.
     *
     * @param after the position of the last one of the page before; null for the first page
     * @param most how many at most; never more than {@value #LARGEST_PAGE}
     */
    List<DeadLetter> list(DeadLetterFilter filter, DeadLetter.@Nullable Position after, int most);

    /**
     * As {@link #list(DeadLetterFilter, DeadLetter.Position, int)}, with a bounded effort however many there are.
     *
     * @param after {@link Page#next()} of the page before; null for the first page
     */
    Page<DeadLetter> page(DeadLetterFilter filter, @Nullable String after, int most);

    /** How many match. */
    long count(DeadLetterFilter filter);

    /** One with all that is known about it. */
    Optional<DeadLetterDetails> find(long runId);

    /** Puts the run back in line as it was. */
    Replay replay(long runId);

    /** Puts the run back in line with another payload; null for none. */
    Replay replay(long runId, @Nullable Object payload);

    /**
     * Puts runs back in line, the newest that match. Leaves out those whose idempotency key is taken and those that somebody
     * else is replaying or discarding right now; of several with one key, the newest is replayed.
     *
     * @param most how many at most, up to {@value #LARGEST_BATCH}
     * @return how many were replayed; zero when there was none left that could be
     */
    int replayAll(DeadLetterFilter filter, int most);

    /**
     * Throws a dead letter away; its attempts stay in the history.
     *
     * @return false when there was none (any more)
     */
    boolean discard(long runId);

    /**
     * Throws dead letters away, the newest that match, except those that somebody else is replaying or discarding right now.
     *
     * @param most how many at most, up to {@value #LARGEST_BATCH}
     * @return how many were thrown away
     */
    int discardAll(DeadLetterFilter filter, int most);

    /** What became of the wish to replay one. */
    enum Replay {
        /** The run is in line again. */
        REPLAYED,
        /** Another run has its idempotency key, alive or within its reservation: the dead letter stays what it is. */
        KEY_TAKEN,
        /** There is no such dead letter (any more). */
        NOT_FOUND
    }
}
