package dev.distributedscheduler.job;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.WhenStuck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How runs of a job are treated.
 *
 * @param queue whose worker slots they use
 * @param maxAttempts failed or lost attempts before a run is a dead letter
 * @param retry whether and when to try again
 * @param timeout after which an attempt is interrupted; null for none
 * @param whenStuck what becomes of a run whose handler ignores the interrupt
 * @param maxConcurrent runs of the job that may be executed at once in the whole cluster; null for no limit
 * @param mustSucceedEvery longest time without a success before somebody should know; null for any
 * @param transactional whether handler and completion are one transaction on the scheduler's database
 */
public record JobPolicy(
        String queue,
        Priority priority,
        int maxAttempts,
        RetryPolicy retry,
        @Nullable Duration timeout,
        WhenStuck whenStuck,
        @Nullable Integer maxConcurrent,
        @Nullable Duration mustSucceedEvery,
        boolean transactional) {

    public static final String DEFAULT_QUEUE = "default";
    public static final int DEFAULT_MAX_ATTEMPTS = 5;

    public static final JobPolicy DEFAULT = new JobPolicy(
            DEFAULT_QUEUE,
            Priority.NORMAL,
            DEFAULT_MAX_ATTEMPTS,
            RetryPolicy.DEFAULT,
            null,
            WhenStuck.WAIT,
            null,
            null,
            false);

    public JobPolicy {
        Names.check("queue", queue);
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("A job needs at least one attempt, but has " + maxAttempts);
        }
        if (maxConcurrent != null && maxConcurrent < 1) {
            throw new IllegalArgumentException("A concurrency limit is at least 1, not " + maxConcurrent);
        }
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("A timeout must be positive, but is " + timeout);
        }
        if (mustSucceedEvery != null && (mustSucceedEvery.isZero() || mustSucceedEvery.isNegative())) {
            throw new IllegalArgumentException("mustSucceedEvery must be positive, but is " + mustSucceedEvery);
        }
    }

    public JobPolicy withQueue(String other) {
        return new JobPolicy(
                other,
                priority,
                maxAttempts,
                retry,
                timeout,
                whenStuck,
                maxConcurrent,
                mustSucceedEvery,
                transactional);
    }

    public JobPolicy withPriority(Priority other) {
        return new JobPolicy(
                queue, other, maxAttempts, retry, timeout, whenStuck, maxConcurrent, mustSucceedEvery, transactional);
    }

    public JobPolicy withMaxAttempts(int other) {
        return new JobPolicy(
                queue, priority, other, retry, timeout, whenStuck, maxConcurrent, mustSucceedEvery, transactional);
    }

    public JobPolicy withRetry(RetryPolicy other) {
        return new JobPolicy(
                queue,
                priority,
                maxAttempts,
                other,
                timeout,
                whenStuck,
                maxConcurrent,
                mustSucceedEvery,
                transactional);
    }

    public JobPolicy withTimeout(@Nullable Duration other) {
        return new JobPolicy(
                queue, priority, maxAttempts, retry, other, whenStuck, maxConcurrent, mustSucceedEvery, transactional);
    }

    public JobPolicy withWhenStuck(WhenStuck other) {
        return new JobPolicy(
                queue, priority, maxAttempts, retry, timeout, other, maxConcurrent, mustSucceedEvery, transactional);
    }

    public JobPolicy withMaxConcurrent(@Nullable Integer other) {
        return new JobPolicy(
                queue, priority, maxAttempts, retry, timeout, whenStuck, other, mustSucceedEvery, transactional);
    }

    public JobPolicy withMustSucceedEvery(@Nullable Duration other) {
        return new JobPolicy(
                queue, priority, maxAttempts, retry, timeout, whenStuck, maxConcurrent, other, transactional);
    }

    public JobPolicy withTransactional(boolean other) {
        return new JobPolicy(
                queue, priority, maxAttempts, retry, timeout, whenStuck, maxConcurrent, mustSucceedEvery, other);
    }
}
