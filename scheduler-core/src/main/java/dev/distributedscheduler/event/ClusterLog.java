package dev.distributedscheduler.event;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import dev.distributedscheduler.event.SchedulerEvent.PartitionsMoved;
import dev.distributedscheduler.event.SchedulerEvent.RunsOrphaned;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.SchedulesRetired;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines about the cluster as a whole; what happens all the time has none. */
final class ClusterLog {

    private static final Logger cluster = LoggerFactory.getLogger("dev.distributedscheduler.cluster");

    void tell(SchedulerEvent event) {
        if (event instanceof LeadershipGained gained) {
            EventLog.named(cluster.atInfo(), "leader.gained")
                    .addKeyValue("node", gained.nodeId())
                    .addKeyValue("term", gained.term())
                    .log("This node leads from now on (term {})", gained.term());
        } else if (event instanceof LeadershipLost lost) {
            EventLog.named(cluster.atInfo(), "leader.lost")
                    .addKeyValue("node", lost.nodeId())
                    .addKeyValue("term", lost.term())
                    .addKeyValue("cause", lost.cause())
                    .log("This node no longer leads (term {}): {}", lost.term(), lost.cause());
        } else if (event instanceof NodeJoined joined) {
            EventLog.named(cluster.atInfo(), "node.joined")
                    .addKeyValue("node", joined.nodeId())
                    .addKeyValue("name", joined.nodeName())
                    .addKeyValue("jobs", joined.jobs().size())
                    .log(
                            "Joined the cluster as {} ({}) with {} jobs",
                            joined.nodeName(),
                            joined.nodeId(),
                            joined.jobs().size());
        } else if (event instanceof NodeLeft left) {
            EventLog.named(cluster.atInfo(), "node.left")
                    .addKeyValue("unfinished", left.unfinishedAttempts())
                    .log("Left the cluster, {} attempts unfinished", left.unfinishedAttempts());
        } else if (event instanceof NodeLeaseLost lost) {
            EventLog.named(cluster.atWarn(), "node.lease-lost")
                    .addKeyValue("node", lost.nodeId())
                    .addKeyValue("interrupted", lost.interruptedAttempts())
                    .log(
                            "This node could not renew its lease in time: interrupted {} attempts and claims nothing until it can",
                            lost.interruptedAttempts());
        } else {
            aboutRunsAndSchedules(event);
        }
    }

    private static void aboutRunsAndSchedules(SchedulerEvent event) {
        if (event instanceof RunsRescued rescued) {
            EventLog.named(cluster.atWarn(), "runs.rescued")
                    .addKeyValue("runs", rescued.runs())
                    .addKeyValue("expelled", rescued.expelledNodes())
                    .log("Took back {} runs of lost nodes; expelled {}", rescued.runs(), rescued.expelledNodes());
        } else if (event instanceof RunsOrphaned orphaned) {
            EventLog.named(cluster.atWarn(), "runs.orphaned")
                    .addKeyValue("runs", orphaned.runsByJob())
                    .log("Runs wait for a node that knows their jobs, and there is none: {}", orphaned.runsByJob());
        } else if (event instanceof PartitionsMoved moved) {
            EventLog.named(cluster.atInfo(), "partitions.moved")
                    .addKeyValue("partitions", moved.partitions())
                    .addKeyValue("nodes", moved.byNode())
                    .log("Moved {} partitions; the nodes have {}", moved.partitions(), moved.byNode());
        } else if (event instanceof SchedulesRetired retired) {
            EventLog.named(cluster.atInfo(), "schedules.retired")
                    .addKeyValue("schedules", retired.schedules())
                    .log("Retired schedules that no live node declares any more: {}", retired.schedules());
        } else if (event instanceof ScheduleFailed failed) {
            EventLog.named(cluster.atError(), "schedule.failed")
                    .addKeyValue("schedule", failed.schedule())
                    .addKeyValue("reason", failed.reason())
                    .log("Schedule {} was set aside: {}", failed.schedule(), failed.reason());
        }
    }
}
