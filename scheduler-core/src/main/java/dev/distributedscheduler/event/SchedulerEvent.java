package dev.distributedscheduler.event;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Something that happened in this node's engine. */
public sealed interface SchedulerEvent {

    /** The node has a lease and may work. */
    record NodeJoined(UUID nodeId, String nodeName, Set<String> jobs) implements SchedulerEvent {}

    /** The node could not renew its lease in time; its attempts were interrupted and it claims nothing. */
    record NodeLeaseLost(UUID nodeId, int interruptedAttempts) implements SchedulerEvent {}

    /** The node left in order. */
    record NodeLeft(int unfinishedAttempts) implements SchedulerEvent {}

    /** This node leads from now on. */
    record LeadershipGained(UUID nodeId, long term) implements SchedulerEvent {}

    /** This node no longer leads. */
    record LeadershipLost(UUID nodeId, long term, String cause) implements SchedulerEvent {}

    /** The database has this node's sign of life; the time is that of the call. */
    record HeartbeatSent(UUID nodeId, Duration took) implements SchedulerEvent {}

    /**
     * Due ticks became runs.
     *
     * @param lateness of each tick that was handled, by the database's clock; those that were skipped because their
     *     predecessor is still live among them
     */
    record TicksEnqueued(long term, Map<String, Integer> runsByQueue, List<Duration> lateness)
            implements SchedulerEvent {}

    /** Ticks were skipped, because the run of an earlier tick of their schedule was still live. */
    record TicksSkipped(int ticks) implements SchedulerEvent {}

    /** Schedules were retired, because no live node declares them any more. */
    record SchedulesRetired(List<String> schedules) implements SchedulerEvent {}

    /** The leader gave partitions to other nodes; the numbers are how many each has now. */
    record PartitionsMoved(int partitions, Map<UUID, Integer> byNode) implements SchedulerEvent {}

    /** A schedule row that cannot be understood was set aside. */
    record ScheduleFailed(String schedule, String reason) implements SchedulerEvent {}

    /** Runs of dead nodes were taken back. */
    record RunsRescued(List<UUID> expelledNodes, int runs) implements SchedulerEvent {}

    /** A claim was answered, with any number of runs; the time is that of the call. */
    record RunsClaimed(String queue, int runs, Duration took) implements SchedulerEvent {}

    /** A group of results was recorded; the time is that of all calls this took. */
    record ResultsFlushed(int results, Duration took) implements SchedulerEvent {}

    /** An attempt begins. */
    record RunStarted(ClaimedRun run) implements SchedulerEvent {}

    /** An attempt succeeded, and the database has it. */
    record RunCompleted(FinishedAttempt attempt) implements SchedulerEvent {}

    /** An attempt did not succeed, the database has it, and the run will be tried again. */
    record RunRetried(FinishedAttempt attempt) implements SchedulerEvent {}

    /** A run used up its attempts. */
    record RunDied(FinishedAttempt attempt) implements SchedulerEvent {}

    /** A running run was cancelled. */
    record RunCancelled(FinishedAttempt attempt) implements SchedulerEvent {}

    /** What an attempt that did not succeed has made of its run. */
    static SchedulerEvent unsuccessful(FinishedAttempt attempt, RunState state) {
        return switch (state) {
            case DEAD -> new RunDied(attempt);
            case CANCELLED -> new RunCancelled(attempt);
            default -> new RunRetried(attempt);
        };
    }

    /**
     * A handler ignores its interrupt.
     *
     * @param cutShort why it was interrupted
     * @param stack where its thread stands
     * @param abandoned whether its run goes on without it
     */
    record RunStuck(ClaimedRun run, Outcome cutShort, String stack, boolean abandoned) implements SchedulerEvent {}

    /** This node has had a look at the cluster. */
    record ClusterSeen(ClusterSnapshot snapshot) implements SchedulerEvent {}

    /** A run is stuck, as the look at the cluster shows; told once per run, attempt and reason, by the leader. */
    record RunFoundStuck(StuckRun stuck) implements SchedulerEvent {}

    /** A job has not succeeded for longer than it promises; told once, by the leader, or by every node without one. */
    record JobOverdue(JobFreshness freshness) implements SchedulerEvent {}

    /** A job that was overdue has succeeded again. */
    record JobFreshAgain(JobFreshness freshness) implements SchedulerEvent {}

    /** Runs wait for a node that knows their jobs; there is none. */
    record RunsOrphaned(Map<String, Integer> runsByJob) implements SchedulerEvent {}

    /** The result of an attempt was refused, because the run had been taken from this node. */
    record ResultRefused(FinishedAttempt attempt) implements SchedulerEvent {}
}
