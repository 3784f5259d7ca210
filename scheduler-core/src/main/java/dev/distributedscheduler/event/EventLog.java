package dev.distributedscheduler.event;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line per event worth knowing: changes of the cluster at INFO, trouble at WARN, each run at DEBUG. */
public final class EventLog implements SchedulerListener {

    private static final Logger log = LoggerFactory.getLogger("dev.distributedscheduler");

    @Override
    public void onEvent(SchedulerEvent event) {
        if (event instanceof RunCompleted completed) {
            ClaimedRun run = completed.run();
            log.debug(
                    "Run {} of {} completed in {} ms",
                    run.id(),
                    run.job(),
                    completed.ran().toMillis());
        } else if (event instanceof RunRetried retried) {
            FinishedAttempt attempt = retried.attempt();
            ClaimedRun run = attempt.run();
            log.warn(
                    "Run {} of {}: attempt {} {}, again in {} ms: {}",
                    run.id(),
                    run.job(),
                    run.attempt(),
                    attempt.outcome(),
                    retried.retryIn().toMillis(),
                    inShort(attempt.failure()));
        } else if (event instanceof RunDied died) {
            FinishedAttempt attempt = died.attempt();
            ClaimedRun run = attempt.run();
            Failure failure = died.failure();
            log.error(
                    "Run {} of {} is dead after attempt {} ({}): {}",
                    run.id(),
                    run.job(),
                    run.attempt(),
                    attempt.outcome(),
                    failure == null || failure.stackTrace() == null ? inShort(failure) : failure.stackTrace());
        } else if (event instanceof ResultRefused refused) {
            ClaimedRun run = refused.attempt().run();
            log.warn(
                    "Run {} of {}: the result of attempt {} came too late and was refused; the run had been taken from this node",
                    run.id(),
                    run.job(),
                    run.attempt());
        } else {
            aboutTheCluster(event);
        }
    }

    private static void aboutTheCluster(SchedulerEvent event) {
        if (event instanceof LeadershipGained gained) {
            log.info("Leading from now on, in term {}", gained.term());
        } else if (event instanceof LeadershipLost lost) {
            log.info("No longer leading (term {}): {}", lost.term(), lost.cause());
        } else if (event instanceof NodeJoined joined) {
            log.info(
                    "Node {} ({}) joined with {} jobs",
                    joined.nodeName(),
                    joined.nodeId(),
                    joined.jobs().size());
        } else if (event instanceof NodeLeft left) {
            log.info("Node {} left, {} attempts unfinished", left.nodeId(), left.unfinishedAttempts());
        } else if (event instanceof NodeLeaseLost lost) {
            log.warn(
                    "Node {} could not renew its lease in time: interrupted {} attempts and stopped claiming",
                    lost.nodeId(),
                    lost.interruptedAttempts());
        } else if (event instanceof RunsRescued rescued) {
            log.warn("Took back {} runs of lost nodes {}", rescued.runs(), rescued.lostNodes());
        } else if (event instanceof ScheduleFailed failed) {
            log.error("Schedule {} was set aside: {}", failed.schedule(), failed.reason());
        }
    }

    private static String inShort(@Nullable Failure failure) {
        return failure == null ? "(no error)" : failure.type() + ": " + failure.message();
    }
}
