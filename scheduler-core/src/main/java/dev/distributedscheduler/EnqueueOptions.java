package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How one run differs from what its job says.
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param idempotencyKey while a run of the job with this key lives, enqueueing another yields that run
 * @param deduplicateFor how long the key stays reserved after the run has completed
 * @param delay time until the run is due
 * @param at when the run is due, by the database's clock
 * @param headStartMinutes place in line, see {@link Priority}; that of the job when null
 * @param queue that of the job when null
 * @param concurrencyKey runs of the job with this key share a limit of their own, for example a tenant
 * @param keyLimit how many of them may be executed at once in the whole cluster
 */
public record EnqueueOptions(
        @Nullable String idempotencyKey,
        @Nullable Duration deduplicateFor,
        @Nullable Duration delay,
        @Nullable Instant at,
        @Nullable Integer headStartMinutes,
        @Nullable String queue,
        @Nullable String concurrencyKey,
        @Nullable Integer keyLimit) {

    public static final EnqueueOptions NONE = new EnqueueOptions(null, null, null, null, null, null, null, null);

    private static final int LONGEST_KEY = 500;
    private static final int LARGEST_HEAD_START = 30_000;

    public EnqueueOptions {
        if (idempotencyKey != null && (idempotencyKey.isBlank() || idempotencyKey.length() > LONGEST_KEY)) {
            throw new IllegalArgumentException("An idempotency key has 1 to %d characters, not %d"
                    .formatted(LONGEST_KEY, idempotencyKey.length()));
        }
        if (deduplicateFor != null && (idempotencyKey == null || deduplicateFor.isNegative())) {
            throw new IllegalArgumentException("deduplicateFor needs an idempotency key and must not be negative");
        }
        if (delay != null && (at != null || delay.isNegative())) {
            throw new IllegalArgumentException("A delay must not be negative and excludes a fixed time");
        }
        if (concurrencyKey != null && (concurrencyKey.isBlank() || concurrencyKey.length() > LONGEST_KEY)) {
            throw new IllegalArgumentException("A concurrency key has 1 to %d characters".formatted(LONGEST_KEY));
        }
        if ((concurrencyKey == null) != (keyLimit == null) || (keyLimit != null && keyLimit < 1)) {
            throw new IllegalArgumentException("A concurrency key needs a limit of at least 1");
        }
        if (headStartMinutes != null && Math.abs(headStartMinutes) > LARGEST_HEAD_START) {
            throw new IllegalArgumentException("A head start has at most %d minutes".formatted(LARGEST_HEAD_START));
        }
    }

    public EnqueueOptions idempotencyKey(String key) {
        return new EnqueueOptions(key, deduplicateFor, delay, at, headStartMinutes, queue, concurrencyKey, keyLimit);
    }

    /** Needs an idempotency key, given before. */
    public EnqueueOptions deduplicateFor(Duration window) {
        return new EnqueueOptions(idempotencyKey, window, delay, at, headStartMinutes, queue, concurrencyKey, keyLimit);
    }

    public EnqueueOptions delay(Duration time) {
        return new EnqueueOptions(
                idempotencyKey, deduplicateFor, time, at, headStartMinutes, queue, concurrencyKey, keyLimit);
    }

    public EnqueueOptions at(Instant time) {
        return new EnqueueOptions(
                idempotencyKey, deduplicateFor, delay, time, headStartMinutes, queue, concurrencyKey, keyLimit);
    }

    public EnqueueOptions priority(Priority priority) {
        return priority(priority.headStartMinutes());
    }

    /** @param minutes head start against a run that is due at the same time */
    public EnqueueOptions priority(int minutes) {
        return new EnqueueOptions(idempotencyKey, deduplicateFor, delay, at, minutes, queue, concurrencyKey, keyLimit);
    }

    public EnqueueOptions queue(String name) {
        return new EnqueueOptions(
                idempotencyKey, deduplicateFor, delay, at, headStartMinutes, name, concurrencyKey, keyLimit);
    }

    /** At most so many runs of the job with this key are executed at once, in the whole cluster. */
    public EnqueueOptions concurrencyKey(String key, int limit) {
        return new EnqueueOptions(idempotencyKey, deduplicateFor, delay, at, headStartMinutes, queue, key, limit);
    }
}
