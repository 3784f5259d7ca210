package dev.distributedscheduler.job;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Priority;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job: a name, its handler and its policies.
 *
 * @param name unique in the cluster
 * @param aliases former names, whose runs it takes over
 * @param payload makes what the handler wants of what was enqueued
 */
public record JobDefinition(
        String name, Set<String> aliases, PayloadReader payload, JobHandler<?> handler, JobPolicy policy) {

    /** A handler that wants no payload. */
    @FunctionalInterface
    public interface Action {

        void run(JobContext context) throws Exception;
    }

    public JobDefinition {
        Names.check("job", name);
        aliases.forEach(alias -> Names.check("job", alias));
        aliases = Set.copyOf(aliases);
    }

    /** A job without payload and with the default policies. */
    public static JobDefinition of(String name, Action action) {
        return of(name, PayloadReader.NONE, (payload, context) -> action.run(context));
    }

    public static <T extends @Nullable Object> JobDefinition of(
            String name, PayloadReader payload, JobHandler<T> handler) {
        return new JobDefinition(name, Set.of(), payload, handler, JobPolicy.DEFAULT);
    }

    public JobDefinition with(JobPolicy other) {
        return new JobDefinition(name, aliases, payload, handler, other);
    }

    public JobDefinition withAliases(Set<String> others) {
        return new JobDefinition(name, others, payload, handler, policy);
    }

    public JobDefinition withQueue(String queue) {
        return with(policy.withQueue(queue));
    }

    public JobDefinition withPriority(Priority priority) {
        return with(policy.withPriority(priority));
    }

    public JobDefinition withMaxAttempts(int maxAttempts) {
        return with(policy.withMaxAttempts(maxAttempts));
    }

    public JobDefinition withRetry(RetryPolicy retry) {
        return with(policy.withRetry(retry));
    }

    public JobDefinition withTimeout(@Nullable Duration timeout) {
        return with(policy.withTimeout(timeout));
    }
}
