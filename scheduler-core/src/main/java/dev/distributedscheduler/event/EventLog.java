package dev.distributedscheduler.event;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import dev.distributedscheduler.event.SchedulerEvent.PartitionsMoved;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunStuck;
import dev.distributedscheduler.event.SchedulerEvent.RunsOrphaned;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.SchedulesRetired;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log line per event worth knowing.
 *
 * <p>The cluster's changes are logged at INFO and trouble at WARN; every single run only at DEBUG, under a logger of its
 * own, so that an application can switch just that on.
 */
public final class EventLog implements SchedulerListener {

    private static final Logger cluster = LoggerFactory.getLogger("dev.distributedscheduler.cluster");
    private static final Logger runs = LoggerFactory.getLogger("dev.distributedscheduler.run");

    @Override
    public void onEvent(SchedulerEvent event) {
        if (event instanceof RunCompleted completed) {
            completed(completed.attempt());
        } else if (event instanceof RunRetried retried) {
            retried(retried.attempt());
        } else if (event instanceof RunDied died) {
            died(died.attempt());
        } else if (event instanceof RunCancelled cancelled) {
            ClaimedRun run = cancelled.attempt().run();
            runs.info("{} run {} was cancelled in attempt {}", run.job(), run.id(), run.attempt());
        } else if (event instanceof RunStuck stuck) {
            stuck(stuck);
        } else if (event instanceof ResultRefused refused) {
            ClaimedRun run = refused.attempt().run();
            runs.warn(
                    "{} run {}: the result of attempt {} came too late and was refused, the run had been taken from this node",
                    run.job(),
                    run.id(),
                    run.attempt());
        } else {
            aboutTheCluster(event);
        }
    }

    private static void completed(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        runs.debug("{} run {} completed in {} ms", run.job(), run.id(), millis(attempt.ran()));
    }

    private static void retried(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        String line = "{} run {}: attempt {} {} after {} ms, next one in {} ms: {}";
        Object[] values = {
            run.job(),
            run.id(),
            run.attempt(),
            attempt.outcome(),
            millis(attempt.ran()),
            millis(attempt.retryIn()),
            inShort(attempt.failure())
        };
        boolean toldOrAsked = attempt.outcome() == Outcome.LOST || attempt.outcome() == Outcome.SNOOZED;
        if (toldOrAsked) { // RunsRescued has told it for all lost ones
            runs.debug(line, values);
        } else {
            runs.warn(line, values);
        }
    }

    private static void died(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        Failure failure = attempt.failure();
        runs.error(
                "{} run {} is dead after attempt {} ({}): {}",
                run.job(),
                run.id(),
                run.attempt(),
                attempt.outcome(),
                failure == null || failure.stackTrace() == null ? inShort(failure) : failure.stackTrace());
    }

    private static void stuck(RunStuck stuck) {
        ClaimedRun run = stuck.run();
        runs.warn(
                "{} run {}: attempt {} ignores its interrupt ({}){}; its thread stands at {}",
                run.job(),
                run.id(),
                run.attempt(),
                stuck.cutShort(),
                stuck.abandoned() ? ", the run goes on without it" : "",
                stuck.stack());
    }

    private static void aboutTheCluster(SchedulerEvent event) {
        if (event instanceof LeadershipGained gained) {
            cluster.info("This node leads from now on (term {})", gained.term());
        } else if (event instanceof LeadershipLost lost) {
            cluster.info("This node no longer leads (term {}): {}", lost.term(), lost.cause());
        } else if (event instanceof NodeJoined joined) {
            cluster.info(
                    "Joined the cluster as {} ({}) with {} jobs",
                    joined.nodeName(),
                    joined.nodeId(),
                    joined.jobs().size());
        } else if (event instanceof NodeLeft left) {
            cluster.info("Left the cluster, {} attempts unfinished", left.unfinishedAttempts());
        } else if (event instanceof NodeLeaseLost lost) {
            cluster.warn(
                    "This node could not renew its lease in time: interrupted {} attempts and claims nothing until it can",
                    lost.interruptedAttempts());
        } else if (event instanceof RunsRescued rescued) {
            cluster.warn("Took back {} runs of lost nodes; expelled {}", rescued.runs(), rescued.expelledNodes());
        } else if (event instanceof RunsOrphaned orphaned) {
            cluster.warn("Runs wait for a node that knows their jobs, and there is none: {}", orphaned.runsByJob());
        } else if (event instanceof PartitionsMoved moved) {
            cluster.info("Moved {} partitions; the nodes have {}", moved.partitions(), moved.byNode());
        } else if (event instanceof SchedulesRetired retired) {
            cluster.info("Retired schedules that no live node declares any more: {}", retired.schedules());
        } else if (event instanceof ScheduleFailed failed) {
            cluster.error("Schedule {} was set aside: {}", failed.schedule(), failed.reason());
        }
    }

    private static @Nullable Long millis(@Nullable Duration span) {
        return span == null ? null : span.toMillis();
    }

    private static String inShort(@Nullable Failure failure) {
        return failure == null ? "(no error)" : failure.type() + ": " + failure.message();
    }
}
