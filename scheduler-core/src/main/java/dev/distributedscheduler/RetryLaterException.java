package dev.distributedscheduler;

import java.time.Duration;

/**
 * Thrown by a handler to ask for another attempt after a while, without using one up: a rate limit was hit, the result of
 * somebody else is not there yet.
 *
 * <p>A run may do so {@value #MOST} times; after that it counts as a failure.
 */
public class RetryLaterException extends RuntimeException {

    /** How often a run may ask. */
    public static final int MOST = 1_000;

    private final Duration delay;

    public RetryLaterException(Duration delay) {
        this(delay, "Asked for another attempt in " + delay);
    }

    public RetryLaterException(Duration delay, String message) {
        super(message);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("The delay must not be negative, but is " + delay);
        }
        this.delay = delay;
    }

    /** Time until the next attempt, counted from the end of this one. */
    public Duration delay() {
        return delay;
    }
}
