package dev.distributedscheduler.job;

import dev.distributedscheduler.Priority;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A job: a name, its handler and its policies.
 *
 * @param name unique in the cluster
 * @param queue whose worker slots it uses
 * @param maxAttempts failed or lost attempts before a run is a dead letter
 * @param timeout after which an attempt is interrupted; null for none
 */
public record JobDefinition(
        String name,
        JobHandler handler,
        String queue,
        Priority priority,
        int maxAttempts,
        RetryPolicy retry,
        @Nullable Duration timeout) {

    public static final String DEFAULT_QUEUE = "default";
    public static final int DEFAULT_MAX_ATTEMPTS = 5;

    private static final int LONGEST_NAME = 200;

    public JobDefinition {
        checkName("job", name);
        checkName("queue", queue);
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("A job needs at least one attempt, but has " + maxAttempts);
        }
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("A timeout must be positive, but is " + timeout);
        }
    }

    /** A job with the default policies. */
    public static JobDefinition of(String name, JobHandler handler) {
        return new JobDefinition(
                name, handler, DEFAULT_QUEUE, Priority.NORMAL, DEFAULT_MAX_ATTEMPTS, RetryPolicy.DEFAULT, null);
    }

    public JobDefinition withQueue(String other) {
        return new JobDefinition(name, handler, other, priority, maxAttempts, retry, timeout);
    }

    public JobDefinition withPriority(Priority other) {
        return new JobDefinition(name, handler, queue, other, maxAttempts, retry, timeout);
    }

    public JobDefinition withMaxAttempts(int other) {
        return new JobDefinition(name, handler, queue, priority, other, retry, timeout);
    }

    public JobDefinition withRetry(RetryPolicy other) {
        return new JobDefinition(name, handler, queue, priority, maxAttempts, other, timeout);
    }

    public JobDefinition withTimeout(@Nullable Duration other) {
        return new JobDefinition(name, handler, queue, priority, maxAttempts, retry, other);
    }

    private static void checkName(String what, String name) {
        boolean printable = !name.isBlank() && name.chars().noneMatch(Character::isISOControl);
        if (!printable || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "A %s name has 1 to %d printable characters, unlike '%s'".formatted(what, LONGEST_NAME, name));
        }
    }
}
