package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about one job and its schedule; null where it says nothing.
 *
 * @param enabled Whether the schedule has ticks; its job stays known without.
 * @param cron Cron expression, instead of whatever the annotation says about when to run; "-" switches the schedule off.
 * @param zone Time zone of the cron expression.
 * @param fixedRate Time from tick to tick, instead of whatever the annotation says about when to run.
 * @param fixedDelay Time from the end of a run to the next tick, instead of whatever the annotation says about when to run.
 * @param spread Span within which the schedule gets a place of its own, later than its trigger says.
 * @param overlap What becomes of a tick while a run of the schedule is still live.
 * @param misfire What becomes of ticks that were missed.
 * @param misfireGrace How old a missed tick may be to be made up for.
 * @param queue Queue whose worker slots the job uses.
 * @param priority Place in line among the waiting runs of the queue.
 * @param timeout Time after which an attempt is interrupted and counts as failed.
 * @param whenStuck What becomes of a run whose handler ignores the interrupt.
 * @param maxAttempts Attempts before a run becomes a dead letter.
 * @param maxConcurrent Runs of the job that may be executed at once in the whole cluster.
 * @param mustSucceedEvery Longest time without a success of the job before every replica reports it as overdue.
 * @param retryBase Bound of the wait after the first failure.
 * @param retryCap Bound of the wait that is never exceeded.
 */
public record JobOverrides(
        @Nullable Boolean enabled,
        @Nullable String cron,
        @Nullable String zone,
        @Nullable Duration fixedRate,
        @Nullable Duration fixedDelay,
        @Nullable Duration spread,
        @Nullable Overlap overlap,
        @Nullable Misfire misfire,
        @Nullable Duration misfireGrace,
        @Nullable String queue,
        @Nullable Priority priority,
        @Nullable Duration timeout,
        @Nullable WhenStuck whenStuck,
        @Nullable Integer maxAttempts,
        @Nullable Integer maxConcurrent,
        @Nullable Duration mustSucceedEvery,
        @Nullable Duration retryBase,
        @Nullable Duration retryCap) {

    static final JobOverrides NONE = new JobOverrides(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** The full name of a setting of a job. */
    static String property(String job, String setting) {
        return "distributed-scheduler.jobs.%s.%s".formatted(job.matches("[a-z0-9-]+") ? job : "[" + job + "]", setting);
    }

    JobPolicy applyTo(JobPolicy policy) {
        return new JobPolicy(
                Objects.requireNonNullElse(queue, policy.queue()),
                Objects.requireNonNullElse(priority, policy.priority()),
                Objects.requireNonNullElse(maxAttempts, policy.maxAttempts()),
                retry(policy.retry()),
                timeout == null ? policy.timeout() : timeout,
                Objects.requireNonNullElse(whenStuck, policy.whenStuck()),
                maxConcurrent == null ? policy.maxConcurrent() : maxConcurrent,
                mustSucceedEvery == null ? policy.mustSucceedEvery() : mustSucceedEvery,
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

    /** The settings given here that mean something for a schedule only. */
    List<String> ofTheSchedule() {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        settings.put("enabled", enabled);
        settings.put("cron", cron);
        settings.put("zone", zone);
        settings.put("fixed-rate", fixedRate);
        settings.put("fixed-delay", fixedDelay);
        settings.put("spread", spread);
        settings.put("overlap", overlap);
        settings.put("misfire", misfire);
        settings.put("misfire-grace", misfireGrace);
        return settings.entrySet().stream()
                .filter(setting -> setting.getValue() != null)
                .map(Entry::getKey)
                .toList();
    }
}
