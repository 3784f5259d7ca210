package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import dev.distributedscheduler.event.SchedulerListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All meters of a node; {@code docs/operations/meters.md} says what they mean. */
public final class SchedulerMeters implements MeterBinder, SchedulerListener {

    private final Supplier<@Nullable NodeStatus> node;
    private final int maxNames;
    private final List<Bound> bound = new CopyOnWriteArrayList<>();

    /** Names that are tags of all meters. */
    record Names(TagNames jobs, TagNames queues) {}

    /** The meters in one registry; there is seldom more than one. */
    private record Bound(EventMeters events, ClusterGauges cluster) {}

    /**
     * @param node as it knows itself; null while it does not run
     * @param maxNames how many jobs, and how many queues, are tagged by name
     */
    public SchedulerMeters(Supplier<@Nullable NodeStatus> node, int maxNames) {
        this.node = node;
        this.maxNames = maxNames;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        NodeGauges.bind(registry, node);
        Names names = new Names(new TagNames(maxNames), new TagNames(maxNames));
        bound.add(new Bound(new EventMeters(registry, names, node), new ClusterGauges(registry, names)));
    }

    @Override
    public void onEvent(SchedulerEvent event) {
        for (Bound meters : bound) {
            if (event instanceof ClusterSeen seen) {
                meters.cluster().show(seen.snapshot());
            } else {
                meters.events().count(event);
            }
        }
    }
}
