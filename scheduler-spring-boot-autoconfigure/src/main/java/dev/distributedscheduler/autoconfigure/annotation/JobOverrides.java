package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about one job; null where it says nothing.
 *
 * @param queue Queue whose worker slots the job uses.
 * @param priority Place in line among the waiting runs of the queue.
 * @param timeout Time after which an attempt is interrupted and counts as failed.
 * @param whenStuck What becomes of a run whose handler ignores the interrupt.
 * @param maxAttempts Attempts before a run becomes a dead letter.
 * @param maxConcurrent Runs of the job that may be executed at once in the whole cluster.
 * @param retryBase Bound of the wait after the first failure.
 * @param retryCap Bound of the wait that is never exceeded.
 */
public record JobOverrides(
        @Nullable String queue,
        @Nullable Priority priority,
        @Nullable Duration timeout,
        @Nullable WhenStuck whenStuck,
        @Nullable Integer maxAttempts,
        @Nullable Integer maxConcurrent,
        @Nullable Duration retryBase,
        @Nullable Duration retryCap) {

    JobPolicy applyTo(JobPolicy policy) {
        return new JobPolicy(
                Objects.requireNonNullElse(queue, policy.queue()),
                Objects.requireNonNullElse(priority, policy.priority()),
                Objects.requireNonNullElse(maxAttempts, policy.maxAttempts()),
                retry(policy.retry()),
                timeout == null ? policy.timeout() : timeout,
                Objects.requireNonNullElse(whenStuck, policy.whenStuck()),
                maxConcurrent == null ? policy.maxConcurrent() : maxConcurrent,
                policy.transactional());
    }

    private RetryPolicy retry(RetryPolicy declared) {
        if (retryBase == null && retryCap == null) {
            return declared;
        }
        ExponentialBackoff backoff =
                (ExponentialBackoff) (declared instanceof ExponentialBackoff ? declared : RetryPolicy.DEFAULT);
        return new ExponentialBackoff(
                Objects.requireNonNullElse(retryBase, backoff.base()),
                Objects.requireNonNullElse(retryCap, backoff.cap()));
    }
}
