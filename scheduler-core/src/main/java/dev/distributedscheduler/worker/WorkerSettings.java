package dev.distributedscheduler.worker;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;
import java.util.Map;

/**
 * How this node executes runs.
 *
 * @param enabled whether it executes any
 * @param concurrency runs that a queue executes at once on this node
 * @param queueConcurrency exceptions from that, by queue
 * @param pollEvery longest time without looking for runs to claim
 * @param drainTimeout how long running attempts may go on at shutdown before they are interrupted
 * @param stuckAfter how long an interrupted handler may take to return before it is reported as stuck
 * @param buffers how much a queue may hold in memory
 */
public record WorkerSettings(
        boolean enabled,
        int concurrency,
        Map<String, Integer> queueConcurrency,
        Duration pollEvery,
        Duration drainTimeout,
        Duration stuckAfter,
        Buffers buffers) {

    public static final WorkerSettings DEFAULT = new WorkerSettings(
            true, 10, Map.of(), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(10), Buffers.DEFAULT);

    /**
     * Bounds of what a queue holds in memory beyond the runs that its threads work on.
     *
     * @param prefetch claimed runs that wait for a thread
     * @param unrecorded results that wait for the database, before nothing more is claimed
     */
    public record Buffers(int prefetch, int unrecorded) {

        public static final Buffers DEFAULT = new Buffers(2_000, 2_000);

        public Buffers {
            checkAtLeast("prefetch", prefetch, 0);
            checkAtLeast("unrecorded", unrecorded, 0);
        }
    }

    public WorkerSettings {
        queueConcurrency = Map.copyOf(queueConcurrency);
        checkConcurrency("concurrency", concurrency);
        queueConcurrency.forEach((queue, value) -> checkConcurrency("queues.%s.concurrency".formatted(queue), value));
        if (pollEvery.compareTo(Duration.ofMillis(10)) < 0) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.poll-every is %s".formatted(pollEvery),
                    "Set it to at least 10ms; 5s is a good value.");
        }
        checkNotNegative("drain-timeout", drainTimeout);
        checkNotNegative("stuck-after", stuckAfter);
    }

    public WorkerSettings withPollEvery(Duration other) {
        return new WorkerSettings(enabled, concurrency, queueConcurrency, other, drainTimeout, stuckAfter, buffers);
    }

    public WorkerSettings withDrainTimeout(Duration other) {
        return new WorkerSettings(enabled, concurrency, queueConcurrency, pollEvery, other, stuckAfter, buffers);
    }

    public WorkerSettings withStuckAfter(Duration other) {
        return new WorkerSettings(enabled, concurrency, queueConcurrency, pollEvery, drainTimeout, other, buffers);
    }

    public WorkerSettings withBuffers(Buffers other) {
        return new WorkerSettings(enabled, concurrency, queueConcurrency, pollEvery, drainTimeout, stuckAfter, other);
    }

    int concurrencyOf(String queue) {
        return queueConcurrency.getOrDefault(queue, concurrency);
    }

    private static void checkConcurrency(String property, int value) {
        if (value < 1) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.%s is %d".formatted(property, value),
                    "Set it to at least 1; a node that should execute nothing has distributed-scheduler.worker.enabled=false.");
        }
    }

    private static void checkAtLeast(String property, int value, int least) {
        if (value < least) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.%s is %d".formatted(property, value),
                    "Set it to %d or more.".formatted(least));
        }
    }

    private static void checkNotNegative(String property, Duration value) {
        if (value.isNegative()) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.%s is %s".formatted(property, value), "Set it to zero or more.");
        }
    }
}
