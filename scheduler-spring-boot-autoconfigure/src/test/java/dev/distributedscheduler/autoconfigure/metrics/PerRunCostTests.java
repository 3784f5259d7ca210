package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What meters and observations cost a run, apart from everything else: CPU time of the thread, which a busy machine does not
 * change much, and bytes, which it does not change at all. Prints both, and asserts the bytes.
 */
class PerRunCostTests {

    private static final int RUNS = 200_000;
    private static final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final ClaimedRun RUN = new ClaimedRun(
            1,
            "job",
            "default",
            new UUID(0, 1),
            1,
            1,
            0,
            null,
            null,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            0,
            null);
    private static final SchedulerEvent STARTED = new RunStarted(RUN);
    private static final SchedulerEvent COMPLETED =
            new RunCompleted(FinishedAttempt.completed(RUN, Duration.ZERO, Duration.ofMillis(3)));

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private interface Step {
        void run() throws Exception;
    }

    private record Cost(double micros, double bytes) {}

    private static Cost perRun(String what, Step step) throws Exception {
        Cost cost = new Cost(0, 0);
        for (int round = 0; round < 5; round++) {
            long thread = Thread.currentThread().getId();
            long bytes = threads.getThreadAllocatedBytes(thread);
            long cpu = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < RUNS; i++) {
                step.run();
            }
            cost = new Cost(
                    (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / RUNS,
                    (double) (threads.getThreadAllocatedBytes(thread) - bytes) / RUNS);
        }
        System.out.printf("MEASURED %s: %.2f µs CPU and %.0f bytes per run%n", what, cost.micros(), cost.bytes());
        return cost;
    }

    @Test
    void metersAllocateNextToNothing() throws Exception {
        SchedulerMeters meters = new SchedulerMeters(() -> null, 100);
        meters.bindTo(registry);

        Cost cost = perRun("meters", () -> {
            meters.onEvent(STARTED);
            meters.onEvent(COMPLETED);
        });

        assertThat(cost.bytes()).isLessThan(200);
    }

    @Test
    void observationCostsWhatMicrometerDoes() throws Exception {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        ObservedAttempts attempts = new ObservedAttempts(observations, new DefaultRunObservationConvention(100));

        Cost cost = perRun("observation with meters", () -> attempts.around(RUN, () -> {}));

        assertThat(cost.bytes()).isLessThan(10_000);
    }
}
