package dev.distributedscheduler.leader;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.store.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes, keeps and gives up this node's leadership; see the package's description for why it is safe. */
public final class LeaderElector {

    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

    private final LeaseStore leases;
    private final LeaderSettings settings;
    private final Supplier<Optional<UUID>> liveNode;
    private final SchedulerListener events;
    private final LongSupplier nanoTime;

    private volatile @Nullable Held held;

    /** A term and until when, by the monotonic clock, this node may believe in it. */
    private record Held(Term term, long trustedUntil) {}

    /** @param liveNode this node's id while it has a lease as a node; only such a node stands for election */
    public LeaderElector(
            LeaseStore leases,
            LeaderSettings settings,
            Supplier<Optional<UUID>> liveNode,
            SchedulerListener events,
            LongSupplier nanoTime) {
        this.leases = leases;
        this.settings = settings;
        this.liveNode = liveNode;
        this.events = events;
        this.nanoTime = nanoTime;
    }

    /** The term in which this node leads, as far as it may believe so; asks nobody. */
    public Optional<Term> current() {
        Held now = held;
        return now == null || !isTrusted(now) ? Optional.empty() : Optional.of(now.term());
    }

    /** One round of the election: stand, renew or step down. Returns when to try next. */
    public synchronized Duration round() {
        Held now = held;
        if (now != null && !isTrusted(now)) {
            stepDown(now, "could not renew the lease in time");
            now = null;
        } else if (now != null && !liveNode.get().equals(Optional.of(now.term().nodeId()))) {
            release();
            now = null;
        }
        if (now == null ? stand() : renew(now)) {
            return jittered(settings.renewEvery());
        }
        return jittered(settings.checkEvery());
    }

    private boolean stand() {
        Optional<UUID> node = liveNode.get();
        if (node.isEmpty()) {
            return false;
        }
        long asked = nanoTime.getAsLong();
        OptionalLong number = leases.acquire(node.get(), settings.lease());
        if (number.isEmpty()) {
            return false;
        }
        Term term = new Term(node.get(), number.getAsLong());
        held = new Held(term, trustFrom(asked));
        events.onEvent(new LeadershipGained(term.nodeId(), term.number()));
        return true;
    }

    private boolean renew(Held now) {
        long asked = nanoTime.getAsLong();
        Term term = now.term();
        if (!leases.renew(term.nodeId(), term.number(), settings.lease())) {
            stepDown(now, "the lease had run out or gone to another node");
            return false;
        }
        held = new Held(term, trustFrom(asked));
        return true;
    }

    /** How long a transaction of the leader may stand still before the server ends it: well below the lease. */
    public Duration transactionPatience() {
        Duration third = settings.lease().dividedBy(3);
        return third.compareTo(LONGEST_PATIENCE) < 0 ? third : LONGEST_PATIENCE;
    }

    /** Somebody found that the term is over in the database; a newer one is left alone. */
    public synchronized void fencedOff(Term term) {
        Held now = held;
        if (now != null && now.term().equals(term)) {
            stepDown(now, "a transaction was fenced off");
        }
    }

    /** Gives the leadership up, if this node has it. */
    public synchronized void release() {
        Held now = held;
        if (now != null) {
            stepDown(now, "released");
            leases.release(now.term().nodeId(), now.term().number());
        }
    }

    private void stepDown(Held now, String cause) {
        held = null;
        events.onEvent(new LeadershipLost(now.term().nodeId(), now.term().number(), cause));
    }

    private boolean isTrusted(Held now) {
        return nanoTime.getAsLong() - now.trustedUntil() < 0;
    }

    private long trustFrom(long asked) {
        return asked + settings.lease().minus(settings.margin()).toNanos();
    }

    private static Duration jittered(Duration period) {
        return Duration.ofNanos((long)
                (period.toNanos() * (0.9 + 0.2 * ThreadLocalRandom.current().nextDouble())));
    }
}
