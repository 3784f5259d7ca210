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
 */
public record WorkerSettings(
        boolean enabled,
        int concurrency,
        Map<String, Integer> queueConcurrency,
        Duration pollEvery,
        Duration drainTimeout) {

    public static final WorkerSettings DEFAULT =
            new WorkerSettings(true, 10, Map.of(), Duration.ofSeconds(5), Duration.ofSeconds(20));

    public WorkerSettings {
        queueConcurrency = Map.copyOf(queueConcurrency);
        checkConcurrency("concurrency", concurrency);
        queueConcurrency.forEach((queue, value) -> checkConcurrency("queues.%s.concurrency".formatted(queue), value));
        if (pollEvery.compareTo(Duration.ofMillis(10)) < 0) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.poll-every is %s".formatted(pollEvery),
                    "Set it to at least 10ms; 5s is a good value.");
        }
        if (drainTimeout.isNegative()) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.worker.drain-timeout is %s".formatted(drainTimeout),
                    "Set it to zero or more.");
        }
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
}
