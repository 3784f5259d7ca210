package dev.distributedscheduler.event;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one node saw it in the database, by the database's clock.
 *
 * <p>Counts are exact while they are small and estimated from a sample of the table above that: a look costs the same
 * whether ten runs wait or a million.
 *
 * @param depths live runs per queue and state; a queue without any has no entry
 * @param oldestDue how long the run that is due for the longest has waited for a worker, by queue; in a very long line that
 *     of the first ones and of a sample
 * @param tickOverdue how long the most overdue tick has waited for the leader; zero when none is overdue
 * @param dueWithin delayed runs and next ticks that come due within these times
 * @param orphaned runs that wait for a node that knows their job
 * @param stuck runs that have been RUNNING for too long, each with its reason
 * @param freshness of the jobs that promise something about it
 * @param took how long the look took
 */
public record ClusterSnapshot(
        Leader leader,
        Nodes nodes,
        List<Depth> depths,
        Map<String, Duration> oldestDue,
        Duration tickOverdue,
        Map<Duration, Long> dueWithin,
        long deadLetters,
        long orphaned,
        List<StuckRun> stuck,
        List<JobFreshness> freshness,
        Duration took) {

    /**
     * @param present whether the lease has not run out
     * @param node name of the leader; null when there is none, or its node is gone
     * @param term the last one that began
     */
    public record Leader(boolean present, @Nullable String node, long term) {}

    /**
     * @param live nodes whose lease has not run out, whatever else they are
     * @param late nodes of any kind that have missed heartbeats
     */
    public record Nodes(int live, int draining, int late) {}

    /** @param state SCHEDULED, READY, BLOCKED or RUNNING */
    public record Depth(String queue, String state, long runs) {}
}
