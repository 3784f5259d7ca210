package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.Retry;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.RetryPolicy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Reads how the runs of a job are to be treated: what its annotation says, unless the configuration says otherwise. */
final class PolicyReader {

    private static final ExponentialBackoff DEFAULT_BACKOFF = (ExponentialBackoff) RetryPolicy.DEFAULT;

    private final Attributes attributes;
    private final int defaultMaxAttempts;
    private final Map<String, JobOverrides> overrides;
    private final Function<String, RetryPolicy> retryBeans;

    PolicyReader(
            Attributes attributes,
            int defaultMaxAttempts,
            Map<String, JobOverrides> overrides,
            Function<String, RetryPolicy> retryBeans) {
        this.attributes = attributes;
        this.defaultMaxAttempts = defaultMaxAttempts;
        this.overrides = overrides;
        this.retryBeans = retryBeans;
    }

    JobPolicy read(String job, DistributedScheduled annotation) {
        return read(
                job,
                new Given(
                        annotation.queue(),
                        annotation.priority(),
                        annotation.timeout(),
                        annotation.whenStuck(),
                        annotation.maxAttempts(),
                        annotation.retry(),
                        annotation.maxConcurrent(),
                        annotation.mustSucceedEvery(),
                        annotation.transactional()));
    }

    JobPolicy read(String job, DistributedJob annotation) {
        return read(
                job,
                new Given(
                        annotation.queue(),
                        annotation.priority(),
                        annotation.timeout(),
                        annotation.whenStuck(),
                        annotation.maxAttempts(),
                        annotation.retry(),
                        annotation.maxConcurrent(),
                        annotation.mustSucceedEvery(),
                        annotation.transactional()));
    }

    /** A job that no annotation says anything about. */
    JobPolicy read(String job) {
        return override(job, JobPolicy.DEFAULT.withMaxAttempts(defaultMaxAttempts));
    }

    /** What the two annotations have in common. */
    private record Given(
            String queue,
            Priority priority,
            String timeout,
            WhenStuck whenStuck,
            int maxAttempts,
            Retry retry,
            int maxConcurrent,
            String mustSucceedEvery,
            boolean transactional) {}

    private JobPolicy read(String job, Given given) {
        if (given.maxAttempts() < 0) {
            throw attributes.refuse("maxAttempts = " + given.maxAttempts(), "Give at least 1, or leave it out.", null);
        }
        Duration timeout = attributes.duration("timeout", given.timeout(), ChronoUnit.MILLIS);
        try {
            return override(
                    job,
                    new JobPolicy(
                            attributes.text("queue", given.queue(), JobPolicy.DEFAULT_QUEUE),
                            given.priority(),
                            given.maxAttempts() == 0 ? defaultMaxAttempts : given.maxAttempts(),
                            retry(given.retry()),
                            timeout,
                            given.whenStuck(),
                            given.maxConcurrent() == 0 ? null : given.maxConcurrent(),
                            attributes.duration("mustSucceedEvery", given.mustSucceedEvery(), ChronoUnit.MILLIS),
                            given.transactional()));
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse("is not valid: " + refused.getMessage(), "Change that attribute.", refused);
        }
    }

    private RetryPolicy retry(Retry retry) {
        String bean = attributes.text("policy", retry.policy());
        if (!bean.isEmpty()) {
            return retryBeans.apply(bean).except(List.of(retry.noRetryFor()));
        }
        Duration base = attributes.duration("base", retry.base(), ChronoUnit.MILLIS);
        Duration cap = attributes.duration("cap", retry.cap(), ChronoUnit.MILLIS);
        RetryPolicy backoff = new ExponentialBackoff(
                Objects.requireNonNullElse(base, DEFAULT_BACKOFF.base()),
                Objects.requireNonNullElse(cap, DEFAULT_BACKOFF.cap()));
        return retry.noRetryFor().length == 0 ? backoff : backoff.except(List.of(retry.noRetryFor()));
    }

    private JobPolicy override(String job, JobPolicy policy) {
        JobOverrides other = overrides.get(job);
        return other == null ? policy : other.applyTo(policy);
    }
}
