package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.ClusterOverview;
import dev.distributedscheduler.ClusterOverview.Count;
import dev.distributedscheduler.ClusterOverview.Depth;
import dev.distributedscheduler.ClusterOverview.Leader;
import dev.distributedscheduler.ClusterOverview.Node;
import dev.distributedscheduler.ClusterOverview.Orphans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Endpoint that shows the cluster and its queue: who leads, who is alive, how much there is to do. */
@Endpoint(id = "scheduler", defaultAccess = Access.READ_ONLY)
public final class SchedulerEndpoint {

    private final Cluster cluster;

    public SchedulerEndpoint(Cluster cluster) {
        this.cluster = cluster;
    }

    @ReadOperation
    public Overview overview() {
        ClusterOverview seen = cluster.overview();
        return new Overview(
                seen.time(),
                seen.term(),
                seen.leader(),
                seen.nodes(),
                seen.live(),
                seen.queues(),
                seen.oldestDueAge(),
                seen.stuck(),
                seen.dead(),
                seen.orphaned());
    }

    /** The cluster and its queue at a moment; see {@link ClusterOverview}. */
    public record Overview(
            Instant time,
            long term,
            @Nullable Leader leader,
            List<Node> nodes,
            Count live,
            List<Depth> queues,
            @Nullable Duration oldestDueAge,
            long stuck,
            Count dead,
            List<Orphans> orphaned)
            implements OperationResponseBody {}
}
