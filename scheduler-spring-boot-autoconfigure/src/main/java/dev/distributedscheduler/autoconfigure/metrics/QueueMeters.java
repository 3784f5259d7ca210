package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.worker.SlotUse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The meters of what this node does with one queue, looked up once. */
final class QueueMeters {

    private final Timer claims;
    private final Counter claimed;
    private final Timer waits;

    QueueMeters(MeterRegistry registry, String queue, Supplier<@Nullable NodeStatus> node) {
        this.claims = Timer.builder("scheduler.claim")
                .description("Time of the calls that claim runs")
                .tag("queue", queue)
                .register(registry);
        this.claimed = Counter.builder("scheduler.claim.runs")
                .description("Runs that were claimed")
                .tag("queue", queue)
                .register(registry);
        this.waits = Timer.builder("scheduler.run.wait")
                .description("Time from when a run was due to its claim")
                .tag("queue", queue)
                .register(registry);
        slots(registry, "scheduler.slots.used", "Worker slots that have a run", queue, node, SlotUse::used);
        slots(registry, "scheduler.slots", "Worker slots", queue, node, SlotUse::size);
    }

    private static void slots(
            MeterRegistry registry,
            String name,
            String description,
            String queue,
            Supplier<@Nullable NodeStatus> node,
            ToIntFunction<SlotUse> value) {
        Gauge.builder(name, node, source -> {
                    NodeStatus status = source.get();
                    SlotUse use = status == null ? null : status.slots().get(queue);
                    return use == null ? 0 : value.applyAsInt(use);
                })
                .description(description)
                .tag("queue", queue)
                .strongReference(true)
                .register(registry);
    }

    void claimed(RunsClaimed event) {
        claims.record(event.took().toNanos(), TimeUnit.NANOSECONDS);
        if (event.runs() > 0) {
            claimed.increment(event.runs());
        }
    }

    void started(ClaimedRun run) {
        Duration waited = Duration.between(run.runAt(), run.claimedAt());
        waits.record(Math.max(0, waited.toNanos()), TimeUnit.NANOSECONDS);
    }
}
