package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.engine.ListenerState;
import dev.distributedscheduler.engine.NodeStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What this node knows about itself at any moment. */
final class NodeGauges {

    private NodeGauges() {}

    static void bind(MeterRegistry registry, Supplier<@Nullable NodeStatus> node) {
        gauge(node, "scheduler.leader", "1 on the node that leads", status -> status.term() == null ? 0 : 1)
                .register(registry);
        gauge(
                        node,
                        "scheduler.node.alive",
                        "1 while this node has its lease and may work",
                        status -> status.nodeId() == null ? 0 : 1)
                .register(registry);
        gauge(
                        node,
                        "scheduler.listener.connected",
                        "1 while this node hears the notifications of the others",
                        status -> status.listener() == ListenerState.LISTENING ? 1 : 0)
                .register(registry);
        Gauge.builder("scheduler.heartbeat.age", node, source -> {
                    NodeStatus status = source.get();
                    return status == null || status.sinceHeartbeat() == null
                            ? Double.NaN
                            : status.sinceHeartbeat().toNanos() / 1e9;
                })
                .description("Time since the last heartbeat of this node that the database answered")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    private static Gauge.Builder<Supplier<@Nullable NodeStatus>> gauge(
            Supplier<@Nullable NodeStatus> node, String name, String description, ToDoubleFunction<NodeStatus> value) {
        return Gauge.builder(name, node, source -> {
                    NodeStatus status = source.get();
                    return status == null ? 0 : value.applyAsDouble(status);
                })
                .description(description)
                .strongReference(true);
    }
}
