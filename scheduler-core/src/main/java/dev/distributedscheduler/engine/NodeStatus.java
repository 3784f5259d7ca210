package dev.distributedscheduler.engine;

import dev.distributedscheduler.worker.SlotUse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node as it knows itself; asks nobody.
 *
 * @param nodeId null while it has no lease that it may trust: then it claims nothing
 * @param sinceHeartbeat since the last one that the database answered; null when it has no lease at all
 * @param heartbeatEvery how often that should be
 * @param term in which it leads; null when it does not
 * @param leaderLease how long the cluster may be without a leader before one that died is replaced for sure
 * @param slots by queue; none on a node that executes nothing
 */
public record NodeStatus(
        @Nullable UUID nodeId,
        @Nullable Duration sinceHeartbeat,
        Duration heartbeatEvery,
        @Nullable Long term,
        Duration leaderLease,
        ListenerState listener,
        Map<String, SlotUse> slots) {}
