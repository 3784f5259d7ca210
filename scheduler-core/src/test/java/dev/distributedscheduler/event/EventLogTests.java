package dev.distributedscheduler.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.event.SchedulerEvent.HeartbeatSent;
import dev.distributedscheduler.event.SchedulerEvent.JobFreshAgain;
import dev.distributedscheduler.event.SchedulerEvent.JobOverdue;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.ResultsFlushed;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunFoundStuck;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.SchedulesRetired;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class EventLogTests {

    private static final UUID NODE = new UUID(0, 1);
    private static final ClaimedRun RUN = new ClaimedRun(
            42, "report", "default", NODE, 2, 7, 1, null, null, Instant.EPOCH, Instant.EPOCH, null, null, 0, null);
    private static final FinishedAttempt DONE =
            FinishedAttempt.completed(RUN, Duration.ofMillis(1), Duration.ofMillis(20));
    private static final FinishedAttempt FAILED = new FinishedAttempt(
            RUN,
            Outcome.FAILED,
            Duration.ofMillis(1),
            Duration.ofMillis(20),
            Duration.ofMillis(300),
            new Failure("SomeException", "no luck", "SomeException: no luck\n\tat here"));

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.distributedscheduler");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void captureLog() {
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void releaseLog() {
        logger.detachAppender(logged);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    static Stream<Object[]> lines() {
        return Stream.of(
                line(new LeadershipGained(NODE, 3), Level.INFO, "This node leads from now on (term 3)"),
                line(new LeadershipLost(NODE, 3, "released"), Level.INFO, "no longer leads (term 3): released"),
                line(
                        new NodeJoined(NODE, "web-1", Set.of("report")),
                        Level.INFO,
                        "as web-1 (" + NODE + ") with 1 jobs"),
                line(new NodeLeft(2), Level.INFO, "2 attempts unfinished"),
                line(new NodeLeaseLost(NODE, 4), Level.WARN, "interrupted 4 attempts"),
                line(
                        new RunsRescued(List.of(NODE), 5),
                        Level.WARN,
                        "Took back 5 runs of lost nodes; expelled [" + NODE),
                line(
                        new SchedulesRetired(List.of("nightly")),
                        Level.INFO,
                        "Retired schedules that no live node declares any more: [nightly]"),
                line(new ScheduleFailed("nightly", "bad zone"), Level.ERROR, "nightly was set aside: bad zone"),
                line(new RunCompleted(DONE), Level.DEBUG, "report run 42 completed in 20 ms"),
                line(new RunRetried(FAILED), Level.WARN, "attempt 2 FAILED after 20 ms, next one in 300 ms: SomeEx"),
                line(new RunRetried(FinishedAttempt.lost(RUN)), Level.DEBUG, "attempt 2 LOST after null ms"),
                line(
                        new RunDied(FAILED),
                        Level.ERROR,
                        "is dead after attempt 2 (FAILED): SomeException: no luck\n\tat"),
                line(new RunDied(FinishedAttempt.lost(RUN)), Level.ERROR, "(LOST): NodeLost: Node " + NODE),
                line(
                        new RunFoundStuck(new StuckRun(
                                42,
                                "report",
                                "default",
                                2,
                                "web-1",
                                Instant.EPOCH,
                                Duration.ofHours(1),
                                StuckRun.Reason.OVER_TIMEOUT,
                                "it took too long")),
                        Level.WARN,
                        "report run 42: attempt 2 seems to be stuck: it took too long"),
                line(
                        new JobOverdue(new JobFreshness("nightly", Duration.ofHours(26), Duration.ofHours(27), true)),
                        Level.ERROR,
                        "nightly has not succeeded for PT27H, and must every PT26H"),
                line(
                        new JobFreshAgain(
                                new JobFreshness("nightly", Duration.ofHours(26), Duration.ofSeconds(1), true)),
                        Level.INFO,
                        "nightly has succeeded again"),
                line(new ResultRefused(DONE), Level.WARN, "the result of attempt 2 came too late"));
    }

    private static Object[] line(SchedulerEvent event, Level level, String part) {
        return new Object[] {event, level, part};
    }

    @ParameterizedTest
    @MethodSource("lines")
    void eventWorthKnowingHasOneLine(SchedulerEvent event, Level level, String part) {
        new EventLog().onEvent(event);

        assertThat(logged.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(level);
            assertThat(line.getFormattedMessage()).contains(part);
        });
    }

    @Test
    void lineHasTheSameAsPairsWithStableKeys() {
        new EventLog().onEvent(new RunRetried(FAILED));

        assertThat(logged.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key, pair -> pair.value)
                .containsExactly(
                        tuple("event", "run.retried"),
                        tuple("job", "report"),
                        tuple("run", 42L),
                        tuple("attempt", 2),
                        tuple("outcome", Outcome.FAILED),
                        tuple("ran_ms", 20L),
                        tuple("retry_in_ms", 300L),
                        tuple("error", "SomeException"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void everyLineNamesItsEvent(SchedulerEvent event, Level level, String part) {
        new EventLog().onEvent(event);

        assertThat(logged.list.get(0).getKeyValuePairs().get(0).key).isEqualTo("event");
    }

    @Test
    void sameFailureHasItsStackTraceOnce() {
        EventLog log = new EventLog();
        FinishedAttempt other = new FinishedAttempt(
                RUN, Outcome.FAILED, null, null, null, new Failure("OtherException", "no luck", "trace of the other"));

        log.onEvent(new RunRetried(FAILED));
        log.onEvent(new RunRetried(FAILED));
        log.onEvent(new RunDied(FAILED));
        log.onEvent(new RunDied(other));

        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).contains("\n\tat here"),
                        second -> assertThat(second).endsWith("SomeException: no luck"),
                        third -> assertThat(third).endsWith("SomeException: no luck"),
                        fourth -> assertThat(fourth).endsWith("trace of the other"));
    }

    @Test
    void failureIsNewsAgainAfterAWhile() {
        long[] now = {0};
        ToldFailures told = new ToldFailures(() -> now[0]);

        assertThat(told.isNews("report", "SomeException")).isTrue();
        now[0] = Duration.ofMinutes(9).toNanos();
        assertThat(told.isNews("report", "SomeException")).isFalse();
        assertThat(told.isNews("other", "SomeException")).isTrue();
        now[0] = Duration.ofMinutes(10).toNanos();
        assertThat(told.isNews("report", "SomeException")).isTrue();
    }

    @Test
    void whatHappensAllTheTimeHasNone() {
        new EventLog().onEvent(new TicksEnqueued(1, Map.of("default", 3), List.of()));
        new EventLog().onEvent(new RunStarted(RUN));
        new EventLog().onEvent(new RunsClaimed("default", 3, Duration.ofMillis(2)));
        new EventLog().onEvent(new ResultsFlushed(3, Duration.ofMillis(2)));
        new EventLog().onEvent(new HeartbeatSent(NODE, Duration.ofMillis(2)));

        assertThat(logged.list).isEmpty();
    }

    @Test
    void runsHaveALoggerOfTheirOwn() {
        new EventLog().onEvent(new RunCompleted(DONE));
        new EventLog().onEvent(new NodeLeft(0));

        assertThat(logged.list)
                .extracting(ILoggingEvent::getLoggerName)
                .containsExactly("dev.distributedscheduler.run", "dev.distributedscheduler.cluster");
    }
}
