package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.store.Agenda;
import dev.distributedscheduler.store.Agenda.Look;
import dev.distributedscheduler.store.PartitionStore;
import dev.distributedscheduler.store.PartitionStore.Holding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One round of an owner of partitions: turns the ticks of their schedules into runs. */
public final class PartitionDuties {

    private static final Duration WHEN_DUE_BUT_LOCKED = Duration.ofMillis(50);

    private final Supplier<Optional<UUID>> liveNode;
    private final DispatchSettings settings;
    private final Duration patience;
    private final Means means;
    private final PartitionStore partitions;
    private final Agenda agenda;
    private final TickDuties ticks;

    /**
     * @param liveNode this node's id while it has a lease
     * @param patience after which the server ends a transaction whose owner no longer moves
     */
    public PartitionDuties(
            Supplier<Optional<UUID>> liveNode, DispatchSettings settings, Duration patience, Means means) {
        this.liveNode = liveNode;
        this.settings = settings;
        this.patience = patience;
        this.means = means;
        this.partitions = new PartitionStore(means.database());
        this.agenda = new Agenda(means.database());
        this.ticks = new TickDuties(settings, means);
    }

    /** One round; returns how long to sleep unless woken. */
    public Duration round() {
        UUID node = liveNode.get().orElse(null);
        List<Integer> owned = node == null ? List.of() : partitions.ownedBy(node);
        if (node == null || owned.isEmpty()) {
            return settings.pollEvery();
        }
        Look look = agenda.look(means.beans().beans().keySet(), owned);
        try {
            if (ticks.dispatch(look, new Owned(node)) > 0) {
                return Duration.ZERO;
            }
        } catch (NothingOwnedException lost) {
            return settings.pollEvery();
        }
        Duration next = look.firstTick(settings.pollEvery());
        return Look.isDue(next) ? WHEN_DUE_BUT_LOCKED : next;
    }

    /** Gives up all partitions, so that others get them at once. */
    public void release() {
        liveNode.get().ifPresent(partitions::release);
    }

    /** The right to dispatch what the node owns, found out anew in each transaction. */
    private final class Owned implements Fence {

        private final UUID node;

        Owned(UUID node) {
            this.node = node;
        }

        @Override
        public <T extends @Nullable Object> T commit(Function<Scope, T> work) {
            return means.database().inTransaction(() -> {
                Holding holding = partitions.hold(node, patience).orElseThrow(NothingOwnedException::new);
                return work.apply(new Scope(holding.now(), holding.term(), holding.partitions()));
            });
        }
    }

    private static final class NothingOwnedException extends RuntimeException {

        NothingOwnedException() {
            super("This node owns no partition any more", null, false, false);
        }
    }
}
