package dev.distributedscheduler.job;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with full jitter: a random wait between zero and a bound that doubles with every failure.
 *
 * @param base bound of the wait after the first failure
 * @param cap bound that is never exceeded
 */
public record RetryPolicy(Duration base, Duration cap) {

    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofSeconds(5), Duration.ofHours(1));

    public RetryPolicy {
        if (base.isNegative() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("Retry needs 0 <= base <= cap, but has %s and %s".formatted(base, cap));
        }
    }

    /** Wait before the attempt that follows the given number of failures. */
    public Duration delayAfter(int failures) {
        return Duration.ofMillis(
                ThreadLocalRandom.current().nextLong(bound(failures).toMillis() + 1));
    }

    Duration bound(int failures) {
        int doublings = Math.min(Math.max(failures - 1, 0), 30);
        Duration bound = base.multipliedBy(1L << doublings);
        return bound.compareTo(cap) < 0 ? bound : cap;
    }
}
