package dev.distributedscheduler.event;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.event.SchedulerEvent.JobFreshAgain;
import dev.distributedscheduler.event.SchedulerEvent.JobOverdue;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunFoundStuck;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunStuck;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One log line per event worth knowing: a sentence for people, and the same as key-value pairs, with keys that do not change,
 * for structured logging.
 *
 * <p>The cluster's changes are logged at INFO and trouble at WARN; every single run only at DEBUG, under a logger of its
 * own, so that an application can switch just that on. The same failure of the same job has its stack trace once in a while
 * and is short otherwise.
 */
public final class EventLog implements SchedulerListener {

    private static final Logger runs = LoggerFactory.getLogger("dev.distributedscheduler.run");

    private final ClusterLog cluster = new ClusterLog();
    private final ToldFailures told = new ToldFailures(System::nanoTime);

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
            line(Level.INFO, "run.cancelled", run)
                    .log("{} run {} was cancelled in attempt {}", run.job(), run.id(), run.attempt());
        } else if (event instanceof RunStuck stuck) {
            stuck(stuck);
        } else if (event instanceof RunFoundStuck found) {
            found(found.stuck());
        } else if (event instanceof JobOverdue overdue) {
            overdue(overdue.freshness());
        } else if (event instanceof JobFreshAgain fresh) {
            String job = fresh.freshness().job();
            named(runs.atInfo(), "job.fresh").addKeyValue("job", job).log("{} has succeeded again", job);
        } else if (event instanceof ResultRefused refused) {
            ClaimedRun run = refused.attempt().run();
            line(Level.WARN, "result.refused", run)
                    .log(
                            "{} run {}: the result of attempt {} came too late and was refused, the run had been taken from this node",
                            run.job(),
                            run.id(),
                            run.attempt());
        } else {
            cluster.tell(event);
        }
    }

    private static void completed(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        line(Level.DEBUG, "run.completed", run)
                .addKeyValue("ran_ms", millis(attempt.ran()))
                .log("{} run {} completed in {} ms", run.job(), run.id(), millis(attempt.ran()));
    }

    private void retried(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        boolean toldOrAsked = attempt.outcome() == Outcome.LOST || attempt.outcome() == Outcome.SNOOZED;
        // RunsRescued has told it for all lost ones
        line(toldOrAsked ? Level.DEBUG : Level.WARN, "run.retried", run)
                .addKeyValue("outcome", attempt.outcome())
                .addKeyValue("ran_ms", millis(attempt.ran()))
                .addKeyValue("retry_in_ms", millis(attempt.retryIn()))
                .addKeyValue("error", errorType(attempt))
                .log(
                        "{} run {}: attempt {} {} after {} ms, next one in {} ms: {}",
                        run.job(),
                        run.id(),
                        run.attempt(),
                        attempt.outcome(),
                        millis(attempt.ran()),
                        millis(attempt.retryIn()),
                        toldOrAsked ? inShort(attempt.failure()) : error(attempt));
    }

    private void died(FinishedAttempt attempt) {
        ClaimedRun run = attempt.run();
        line(Level.ERROR, "run.died", run)
                .addKeyValue("outcome", attempt.outcome())
                .addKeyValue("error", errorType(attempt))
                .log(
                        "{} run {} is dead after attempt {} ({}): {}",
                        run.job(),
                        run.id(),
                        run.attempt(),
                        attempt.outcome(),
                        error(attempt));
    }

    /** In full when it has not been told lately; the dead letter has it anyway. */
    private String error(FinishedAttempt attempt) {
        Failure failure = attempt.failure();
        if (failure == null
                || failure.stackTrace() == null
                || !told.isNews(attempt.run().job(), failure.type())) {
            return inShort(failure);
        }
        return failure.stackTrace();
    }

    private static void stuck(RunStuck stuck) {
        ClaimedRun run = stuck.run();
        line(Level.WARN, "run.stuck", run)
                .addKeyValue("outcome", stuck.cutShort())
                .addKeyValue("abandoned", stuck.abandoned())
                .log(
                        "{} run {}: attempt {} ignores its interrupt ({}){}; its thread stands at {}",
                        run.job(),
                        run.id(),
                        run.attempt(),
                        stuck.cutShort(),
                        stuck.abandoned() ? ", the run goes on without it" : "",
                        stuck.stack());
    }

    private static void found(StuckRun stuck) {
        named(runs.atWarn(), "run.found-stuck")
                .addKeyValue("job", stuck.job())
                .addKeyValue("run", stuck.runId())
                .addKeyValue("attempt", stuck.attempt())
                .addKeyValue("reason", stuck.reason())
                .addKeyValue("running_ms", stuck.running().toMillis())
                .log(
                        "{} run {}: attempt {} seems to be stuck: {}",
                        stuck.job(),
                        stuck.runId(),
                        stuck.attempt(),
                        stuck.explanation());
    }

    private static void overdue(JobFreshness freshness) {
        named(runs.atError(), "job.overdue")
                .addKeyValue("job", freshness.job())
                .addKeyValue("since_success_ms", freshness.sinceSuccess().toMillis())
                .addKeyValue(
                        "must_succeed_every_ms", freshness.mustSucceedEvery().toMillis())
                .log(
                        "{} has {} for {}, and must every {}",
                        freshness.job(),
                        freshness.succeeded() ? "not succeeded" : "never succeeded, and is known",
                        freshness.sinceSuccess(),
                        freshness.mustSucceedEvery());
    }

    private static LoggingEventBuilder line(Level level, String event, ClaimedRun run) {
        LoggingEventBuilder line = runs.atLevel(level);
        if (!runs.isEnabledForLevel(level)) {
            return line;
        }
        return named(line, event)
                .addKeyValue("job", run.job())
                .addKeyValue("run", run.id())
                .addKeyValue("attempt", run.attempt());
    }

    static LoggingEventBuilder named(LoggingEventBuilder line, String event) {
        return line.addKeyValue("event", event);
    }

    private static @Nullable Long millis(@Nullable Duration span) {
        return span == null ? null : span.toMillis();
    }

    private static @Nullable String errorType(FinishedAttempt attempt) {
        return attempt.failure() == null ? null : attempt.failure().type();
    }

    private static String inShort(@Nullable Failure failure) {
        return failure == null ? "(no error)" : failure.type() + ": " + failure.message();
    }
}
