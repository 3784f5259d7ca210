package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class WorkerSettingsTests {

    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration STUCK = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofSeconds(20);

    private static SchedulerConfigurationException refusal(ThrowingCallable settings) {
        return catchThrowableOfType(SchedulerConfigurationException.class, settings);
    }

    @Test
    void concurrencyBelowOneIsRefused() {
        SchedulerConfigurationException refusal =
                refusal(() -> new WorkerSettings(true, 0, Map.of(), POLL, DRAIN, STUCK, Buffers.DEFAULT));

        assertThat(refusal).hasMessage("distributed-scheduler.worker.concurrency is 0");
        assertThat(refusal.remedy()).contains("at least 1", "distributed-scheduler.worker.enabled=false");
    }

    @Test
    void concurrencyOfAQueueBelowOneNamesTheQueue() {
        SchedulerConfigurationException refusal =
                refusal(() -> new WorkerSettings(true, 1, Map.of("slow", -1), POLL, DRAIN, STUCK, Buffers.DEFAULT));

        assertThat(refusal).hasMessage("distributed-scheduler.worker.queues.slow.concurrency is -1");
    }

    @Test
    void pollingTooOftenIsRefused() {
        SchedulerConfigurationException refusal = refusal(
                () -> new WorkerSettings(true, 1, Map.of(), Duration.ofMillis(9), DRAIN, STUCK, Buffers.DEFAULT));

        assertThat(refusal).hasMessage("distributed-scheduler.worker.poll-every is PT0.009S");
        assertThat(refusal.remedy()).contains("at least 10ms");
    }

    @Test
    void negativeBuffersAreRefusedAndNoneAreNot() {
        assertThat(refusal(() -> new Buffers(-1, 0))).hasMessage("distributed-scheduler.worker.prefetch is -1");
        assertThat(refusal(() -> new Buffers(0, -1)))
                .hasMessage("distributed-scheduler.worker.unrecorded is -1")
                .extracting(SchedulerConfigurationException::remedy)
                .isEqualTo("Set it to 0 or more.");
        assertThat(new Buffers(0, 0).prefetch()).isZero();
    }

    @Test
    void negativeDrainTimeIsRefusedAndZeroIsNot() {
        SchedulerConfigurationException refusal = refusal(
                () -> new WorkerSettings(true, 1, Map.of(), POLL, Duration.ofMillis(-1), STUCK, Buffers.DEFAULT));

        assertThat(refusal).hasMessage("distributed-scheduler.worker.drain-timeout is PT-0.001S");
        assertThat(refusal.remedy()).isEqualTo("Set it to zero or more.");
        assertThat(new WorkerSettings(true, 1, Map.of(), POLL, Duration.ZERO, STUCK, Buffers.DEFAULT).drainTimeout())
                .isZero();
    }

    @Test
    void queueHasItsOwnConcurrencyOrTheCommonOne() {
        WorkerSettings settings = new WorkerSettings(true, 10, Map.of("slow", 2), POLL, DRAIN, STUCK, Buffers.DEFAULT);

        assertThat(settings.concurrencyOf("slow")).isEqualTo(2);
        assertThat(settings.concurrencyOf("default")).isEqualTo(10);
    }

    @Test
    void nodeLeaseBelowASecondIsRefused() {
        SchedulerConfigurationException refusal = refusal(() -> new NodeSettings("node", null, Duration.ofMillis(999)));

        assertThat(refusal).hasMessageContaining("PT0.999S");
        assertThat(refusal.remedy()).contains("distributed-scheduler.node.lease", "at least 1s");
    }

    @Test
    void twoHeartbeatsMayFailBeforeTheNodeLetsGoAndItDoesSoBeforeTheDatabase() {
        NodeSettings settings = new NodeSettings("node", null, Duration.ofSeconds(30));

        assertThat(settings.heartbeatEvery().multipliedBy(2)).isLessThan(settings.trust());
        assertThat(settings.trust()).isLessThan(settings.lease());
    }
}
