package dev.distributedscheduler.autoconfigure.health;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.engine.ListenerState;
import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import dev.distributedscheduler.event.SchedulerListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of this node, from what it knows and saw last; asks nobody, so that it always answers at once.
 *
 * <p>DOWN means that this replica does no scheduled work. DEGRADED means that something is wrong which taking this replica
 * out of traffic would not mend: no leader for longer than it takes to elect one, a late heartbeat, a look at the database
 * that is overdue, a job that has not succeeded in time. A mere change of leader is neither.
 */
public final class SchedulerHealthIndicator extends AbstractHealthIndicator implements SchedulerListener {

    public static final Status DEGRADED = new Status("DEGRADED");

    private final Supplier<@Nullable NodeStatus> node;
    private final Duration looksEvery;
    private final LongSupplier nanoTime;
    private volatile @Nullable Seen seen;

    /** @param leaderless since when, by the monotonic clock, no leader was seen; null while there is one */
    private record Seen(
            ClusterSnapshot snapshot, long at, @Nullable Long leaderless) {}

    /**
     * @param node as it knows itself; null while it does not run
     * @param looksEvery time between two looks at the cluster; zero when there are none
     */
    public SchedulerHealthIndicator(Supplier<@Nullable NodeStatus> node, Duration looksEvery, LongSupplier nanoTime) {
        super("The scheduler's health is not known");
        this.node = node;
        this.looksEvery = looksEvery;
        this.nanoTime = nanoTime;
    }

    @Override
    public void onEvent(SchedulerEvent event) {
        if (event instanceof ClusterSeen look) {
            long now = nanoTime.getAsLong();
            Seen before = seen;
            Long since = before == null || before.leaderless() == null ? Long.valueOf(now) : before.leaderless();
            seen = new Seen(look.snapshot(), now, look.snapshot().leader().present() ? null : since);
        }
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        NodeStatus status = node.get();
        if (status == null) {
            builder.down().withDetail("problems", List.of("the node does not run"));
            return;
        }
        List<String> problems = new ArrayList<>();
        boolean alive = status.nodeId() != null;
        if (!alive) {
            problems.add("this node could not renew its lease and executes nothing");
        }
        aboutTheNode(builder, status, problems);
        aboutTheCluster(builder, status, problems);
        if (!alive) {
            builder.down();
        } else if (problems.isEmpty()) {
            builder.up();
        } else {
            builder.status(DEGRADED);
        }
        if (!problems.isEmpty()) {
            builder.withDetail("problems", problems);
        }
    }

    private static void aboutTheNode(Health.Builder builder, NodeStatus status, List<String> problems) {
        if (status.nodeId() != null) {
            builder.withDetail("node", status.nodeId());
        }
        Duration since = status.sinceHeartbeat();
        if (since != null) {
            builder.withDetail("sinceHeartbeat", rounded(since));
            if (since.compareTo(status.heartbeatEvery().multipliedBy(2)) > 0) {
                problems.add(
                        "the last heartbeat that the database answered was %s ago, and there should be one every %s"
                                .formatted(rounded(since), status.heartbeatEvery()));
            }
        }
        builder.withDetail("listener", status.listener());
        if (status.listener() == ListenerState.CONNECTING) {
            problems.add("this node does not hear the notifications of the others and polls");
        }
        builder.withDetail("leads", status.term() != null);
    }

    private void aboutTheCluster(Health.Builder builder, NodeStatus status, List<String> problems) {
        Seen last = seen;
        if (looksEvery.isZero()) {
            return;
        }
        if (last == null) {
            builder.withDetail("database", "not looked at yet");
            return;
        }
        Duration age = since(last.at());
        builder.withDetail(
                "database",
                "answered %s ago in %s".formatted(rounded(age), last.snapshot().took()));
        if (age.compareTo(looksEvery.multipliedBy(4)) > 0) {
            problems.add("the last look at the database that succeeded was %s ago".formatted(rounded(age)));
        }
        ClusterSnapshot.Leader leader = last.snapshot().leader();
        builder.withDetail("leader", leader.present() ? String.valueOf(leader.node()) : "none")
                .withDetail("term", leader.term());
        if (last.leaderless() != null
                && since(last.leaderless()).compareTo(status.leaderLease()) > 0
                && status.term() == null) {
            problems.add("there has been no leader for %s: ticks are not dispatched"
                    .formatted(rounded(since(last.leaderless()))));
        }
        for (JobFreshness job : last.snapshot().freshness()) {
            if (job.isOverdue()) {
                problems.add("%s has not succeeded for %s, and must every %s"
                        .formatted(job.job(), rounded(job.sinceSuccess()), job.mustSucceedEvery()));
            }
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(nanoTime.getAsLong() - nanos);
    }

    private static Duration rounded(Duration span) {
        return Duration.ofMillis(span.toMillis());
    }
}
