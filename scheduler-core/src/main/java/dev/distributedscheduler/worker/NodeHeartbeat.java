package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerEvent.HeartbeatSent;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.NodeStore.Pulse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this node alive in the eyes of the others, and knows until when it may believe so itself.
 *
 * <p>A node that was expelled comes back under a new id: what the old one held is no longer its own.
 */
public final class NodeHeartbeat {

    private final NodeStore nodes;
    private final NodeSettings settings;
    private final Function<UUID, Node> description;
    private final Deadlines deadlines;
    private final SchedulerListener events;

    private volatile @Nullable Lease lease;
    private volatile int liveWorkers = 1;
    private volatile IntSupplier cutShort = () -> 0;
    private volatile Consumer<List<Long>> whenCancelled = tokens -> {};
    private volatile LongConsumer whenDeployed = deployment -> {};
    private final AtomicReference<@Nullable UUID> lastLost = new AtomicReference<>();
    private @Nullable Future<?> deadline;
    private UUID newId = UUID.randomUUID();

    /** An incarnation, and until when, by the monotonic clock, it may believe in its lease. */
    private record Lease(UUID nodeId, long trustedUntil) {}

    /** @param description of this node under the given id */
    public NodeHeartbeat(
            NodeStore nodes,
            NodeSettings settings,
            Function<UUID, Node> description,
            Deadlines deadlines,
            SchedulerListener events) {
        this.nodes = nodes;
        this.settings = settings;
        this.description = description;
        this.deadlines = deadlines;
        this.events = events;
    }

    /** What to do when the lease cannot be trusted any more: interrupt the attempts, and say how many they were. */
    void whenLost(IntSupplier cutShort) {
        this.cutShort = cutShort;
    }

    /** Whom to tell which attempts are to be cancelled; a notification that got lost is made up for here. */
    void whenCancelled(Consumer<List<Long>> whenCancelled) {
        this.whenCancelled = whenCancelled;
    }

    /** Whom to tell the newest deployment of all live nodes. */
    public void whenDeployed(LongConsumer whenDeployed) {
        this.whenDeployed = whenDeployed;
    }

    /** The id under which this node may work now; asks nobody. */
    public Optional<UUID> liveNode() {
        Lease now = lease;
        return now == null || !isTrusted(now) ? Optional.empty() : Optional.of(now.nodeId());
    }

    /** Time since the last heartbeat that the database answered; null before the first one, and for an expelled node. */
    public @Nullable Duration sinceHeartbeat() {
        Lease now = lease;
        return now == null ? null : settings.trust().minusNanos(now.trustedUntil() - deadlines.now());
    }

    /** Nodes that execute runs, this one included, as of the last heartbeat. */
    int liveWorkers() {
        return Math.max(1, liveWorkers);
    }

    /** How long a transaction that holds a run may stand still: it ends before this node's lease does. */
    Duration transactionPatience() {
        return settings.heartbeatEvery();
    }

    /** One heartbeat; returns how long to wait for the next. */
    public synchronized Duration round() {
        Lease now = lease;
        long asked = deadlines.now();
        if (now == null) {
            join(asked);
            return settings.heartbeatEvery();
        }
        Optional<Pulse> pulse = nodes.heartbeat(now.nodeId(), settings.lease());
        if (pulse.isEmpty()) {
            expelled(now);
            return Duration.ZERO;
        }
        liveWorkers = pulse.get().liveWorkers();
        trust(now.nodeId(), asked);
        events.onEvent(new HeartbeatSent(now.nodeId(), Duration.ofNanos(deadlines.now() - asked)));
        whenCancelled.accept(pulse.get().cancelled());
        whenDeployed.accept(pulse.get().newestDeployment());
        return settings.heartbeatEvery();
    }

    private void join(long asked) {
        Node node = description.apply(newId);
        nodes.register(node, settings.lease());
        trust(newId, asked);
        newId = UUID.randomUUID();
        events.onEvent(new NodeJoined(node.id(), node.name(), node.jobs()));
    }

    private void expelled(Lease now) {
        lease = null;
        lost(now.nodeId());
    }

    /** Interrupts whatever is held: what was claimed under this id is not this node's for much longer, or no more. */
    private void lost(UUID nodeId) {
        int attempts = cutShort.getAsInt();
        if (!nodeId.equals(lastLost.getAndSet(nodeId))) {
            events.onEvent(new NodeLeaseLost(nodeId, attempts));
        }
    }

    private void trust(UUID nodeId, long asked) {
        lease = new Lease(nodeId, asked + settings.trust().toNanos());
        lastLost.set(null);
        if (deadline != null) {
            deadline.cancel(false);
        }
        Duration left = settings.trust().minusNanos(deadlines.now() - asked);
        deadline = deadlines.in(left, () -> lost(nodeId));
    }

    /** Shows the others that this node takes no new work. */
    public void drain() {
        liveNode().ifPresent(nodes::startDraining);
    }

    /**
     * The last act of this node.
     *
     * @param inOrder whether it holds nothing any more; otherwise its row stays, and its runs are safe until its lease ends
     */
    public synchronized void leave(boolean inOrder) {
        Lease now = lease;
        lease = null;
        if (deadline != null) {
            deadline.cancel(false);
        }
        if (now != null && inOrder) {
            nodes.deregister(now.nodeId());
        }
    }

    private boolean isTrusted(Lease now) {
        return deadlines.now() - now.trustedUntil() < 0;
    }
}
