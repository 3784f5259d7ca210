package dev.distributedscheduler.job;

import java.time.Duration;
import java.util.Optional;

/** Decides whether and when a failed run is tried again; its attempts bound it in any case. */
@FunctionalInterface
public interface RetryPolicy {

    RetryPolicy DEFAULT = new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofHours(1));

    /**
     * Wait before the next attempt, or nothing when trying again is of no use.
     *
     * @param failures failed and lost attempts so far, at least 1
     */
    Optional<Duration> retryIn(int failures, Throwable error);

    /** This policy, but for exceptions after which trying again is of no use. */
    default RetryPolicy except(Iterable<Class<? extends Throwable>> permanent) {
        return (failures, error) -> {
            for (Class<? extends Throwable> type : permanent) {
                if (type.isInstance(error)) {
                    return Optional.empty();
                }
            }
            return retryIn(failures, error);
        };
    }
}
