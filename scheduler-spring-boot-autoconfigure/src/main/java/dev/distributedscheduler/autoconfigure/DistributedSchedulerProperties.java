package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.autoconfigure.annotation.JobOverrides;
import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the scheduler.
 *
 * @param enabled Whether the scheduler is set up at all.
 * @param schema Database schema of the scheduler's own tables.
 * @param migrate Whether to create and update those tables at start-up; otherwise they are only checked.
 * @param maxPayload Largest payload of a run or a schedule, as JSON.
 * @param schedulesPerTenant How many schedules each tenant may have, unless it has a quota of its own.
 * @param node How this replica presents itself.
 * @param leader Election of the replica that dispatches.
 * @param dispatch Turning due ticks into runs.
 * @param worker Executing runs.
 * @param watch Looking at the whole cluster, for meters, health and words about stuck and overdue jobs.
 * @param metrics Meters.
 * @param jobs What single jobs do differently from what their annotations say, by name.
 */
@ConfigurationProperties("distributed-scheduler")
public record DistributedSchedulerProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("scheduler") String schema,
        @DefaultValue("true") boolean migrate,
        @DefaultValue("256KB") DataSize maxPayload,
        @DefaultValue("100000") int schedulesPerTenant,
        @DefaultValue Node node,
        @DefaultValue Leader leader,
        @DefaultValue Dispatch dispatch,
        @DefaultValue Worker worker,
        @DefaultValue Watch watch,
        @DefaultValue Metrics metrics,
        @DefaultValue Map<String, JobOverrides> jobs) {

    /**
     * How this replica presents itself.
     *
     * @param name Name shown in logs and endpoints, which need not be unique; the host name by default.
     * @param lease How long the replica counts as alive without a sign of life. Its runs go to others after that.
     */
    public record Node(
            @Nullable String name, @DefaultValue("30s") Duration lease) {}

    /**
     * Election of the replica that dispatches.
     *
     * @param lease How long a leadership lasts without renewal. Bounds the time to replace a frozen leader.
     * @param renewEvery How often the leader renews its lease; a third of the lease by default.
     * @param checkEvery How often the others look whether the leader's database session is gone.
     */
    public record Leader(
            @DefaultValue("30s") Duration lease,
            @Nullable Duration renewEvery,
            @DefaultValue("1500ms") Duration checkEvery) {}

    /**
     * Turning due ticks into runs.
     *
     * @param enabled Whether this replica may lead.
     * @param pollEvery Longest time the leader sleeps without looking for due ticks.
     * @param misfireGrace How old a missed tick may be to be run all the same, unless its schedule says otherwise. Older ones
     *     are skipped.
     * @param misfireAfter How late a tick may be dispatched without counting as missed.
     * @param catchUpRate How fast missed ticks are made up for. A schedule's ticks, live and missed ones together, come at most
     *     so many times as fast as usual.
     * @param retireAfter How long a schedule that was declared in code is kept active without a live replica that declares it.
     * @param historyRetention How long the history of finished runs is kept.
     * @param deadLetterRetention How long dead letters are kept; for ever by default.
     * @param mode Who dispatches: the leader alone, or all replicas that may lead, each a part of the schedules.
     */
    public record Dispatch(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("5s") Duration pollEvery,
            @DefaultValue("1h") Duration misfireGrace,
            @DefaultValue("5s") Duration misfireAfter,
            @DefaultValue("2") double catchUpRate,
            @DefaultValue("1h") Duration retireAfter,
            @DefaultValue("90d") Duration historyRetention,
            @Nullable Duration deadLetterRetention,
            @DefaultValue("single") Mode mode) {}

    /**
     * Executing runs.
     *
     * @param enabled Whether this replica executes runs.
     * @param concurrency Runs that each queue executes at once on this replica.
     * @param queues Settings of single queues, by name.
     * @param maxAttempts Attempts before a run becomes a dead letter, for jobs that do not say it themselves.
     * @param pollEvery Longest time without looking for runs to execute.
     * @param drainTimeout How long running jobs may go on at shutdown before they are interrupted. Keep it below
     *     "spring.lifecycle.timeout-per-shutdown-phase".
     * @param stuckAfter How long an interrupted job may take to return before it is reported as stuck.
     * @param prefetch Runs that each queue may claim ahead on this replica. Only quick jobs are claimed ahead, as many as would
     *     begin within 50 ms.
     * @param unrecorded Results that each queue may hold for a slow database before it stops claiming.
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10") int concurrency,
            @DefaultValue Map<String, Queue> queues,
            @DefaultValue("5") int maxAttempts,
            @DefaultValue("5s") Duration pollEvery,
            @DefaultValue("20s") Duration drainTimeout,
            @DefaultValue("10s") Duration stuckAfter,
            @DefaultValue("2000") int prefetch,
            @DefaultValue("2000") int unrecorded) {}

    /**
     * Looking at the whole cluster, which every replica does by itself.
     *
     * @param enabled Whether this replica does. Without it there are no meters of queues, and nobody tells of stuck or overdue
     *     jobs.
     * @param every Time between two looks; each is a few cheap statements, however long the queues are.
     * @param patience Longest time of a statement.
     * @param exactUpTo Runs of a queue up to which they are counted; above that their number is estimated.
     */
    public record Watch(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("30s") Duration every,
            @DefaultValue("2s") Duration patience,
            @DefaultValue("2000") int exactUpTo) {}

    /**
     * Meters.
     *
     * @param enabled Whether there are any.
     * @param maxJobs Jobs and queues that are tagged by name; the rest is tagged "other".
     * @param observations Whether attempts and enqueues are observed, for tracing.
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("100") int maxJobs,
            @DefaultValue("true") boolean observations) {}

    /**
     * One queue.
     *
     * @param concurrency Runs of this queue that this replica executes at once.
     */
    public record Queue(@DefaultValue("10") int concurrency) {}
}
