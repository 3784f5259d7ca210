package dev.distributedscheduler.job;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with full jitter: a random wait between zero and a bound that doubles with every failure.
 *
 * @param base bound of the wait after the first failure
 * @param cap bound that is never exceeded
 */
public record ExponentialBackoff(Duration base, Duration cap) implements RetryPolicy {

    public ExponentialBackoff {
        if (base.isNegative() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("Retry needs 0 <= base <= cap, but has %s and %s".formatted(base, cap));
        }
    }

    @Override
    public Optional<Duration> retryIn(int failures, Throwable error) {
        return Optional.of(Duration.ofMillis(
                ThreadLocalRandom.current().nextLong(bound(failures).toMillis() + 1)));
    }

    Duration bound(int failures) {
        int doublings = Math.min(Math.max(failures - 1, 0), 30);
        Duration bound = base.multipliedBy(1L << doublings);
        return bound.compareTo(cap) < 0 ? bound : cap;
    }
}
