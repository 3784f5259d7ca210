package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.schedule.TickPlan.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class TickPlanTests {

    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final Duration GRACE = Duration.ofHours(1);
    private static final Duration AFTER = Duration.ofSeconds(5);
    private static final Instant LIVE = NOW.minus(AFTER);
    private static final Instant OLDEST = NOW.minus(GRACE);
    private static final int MOST = 100;

    private final Trigger everySecond = new FixedRateTrigger(Duration.ofSeconds(1));
    private final Trigger everyMinute = new FixedRateTrigger(Duration.ofMinutes(1));
    private final Trigger hourly = CronTrigger.of("0 0 * * * *", "UTC");

    private static TickPlan plan(Trigger trigger, Instant due) {
        return plan(trigger, due, Misfire.REPLAY_ALL);
    }

    private static TickPlan plan(Trigger trigger, Instant due, Misfire policy) {
        return plan(Timing.of(trigger), due, policy);
    }

    private static TickPlan plan(Timing timing, Instant due, Misfire policy) {
        return TickPlan.of(timing, due, NOW, new MisfireRules(policy, GRACE, AFTER), MOST);
    }

    private static Instant ago(long seconds) {
        return NOW.minusSeconds(seconds);
    }

    private static Span span(Instant from, Instant until) {
        return new Span(from, until);
    }

    @ParameterizedTest
    @EnumSource(Misfire.class)
    void dueTickIsEnqueuedAndTheScheduleMovesToTheNext(Misfire policy) {
        assertThat(plan(everyMinute, NOW, policy)).isEqualTo(new TickPlan(List.of(), null, List.of(NOW), ago(-60)));
    }

    @ParameterizedTest
    @EnumSource(Misfire.class)
    void ticksThatAreHardlyLateAreEnqueuedInOrderWhateverThePolicy(Misfire policy) {
        assertThat(plan(everySecond, LIVE, policy))
                .isEqualTo(
                        new TickPlan(List.of(), null, List.of(ago(5), ago(4), ago(3), ago(2), ago(1), NOW), ago(-1)));
    }

    @Test
    void latenessDoesNotAddUp() {
        assertThat(plan(everyMinute, ago(3)).next()).isEqualTo(ago(-57));
        assertThat(plan(everyMinute, ago(7)).next()).isEqualTo(ago(-53));
    }

    @Test
    void missedTicksAreKeptForLaterAndLiveOnesEnqueued() {
        assertThat(plan(everyMinute, ago(180)))
                .isEqualTo(new TickPlan(List.of(), span(ago(180), LIVE), List.of(NOW), ago(-60)));
    }

    @Test
    void onlyTheLatestMissedTickIsKeptWhereThatIsThePolicy() {
        assertThat(plan(everyMinute, ago(190), Misfire.REPLAY_LATEST))
                .isEqualTo(new TickPlan(List.of(span(ago(190), ago(10))), span(ago(10), LIVE), List.of(), ago(-50)));
    }

    @Test
    void singleMissedTickIsTheLatest() {
        assertThat(plan(everyMinute, ago(10), Misfire.REPLAY_LATEST))
                .isEqualTo(new TickPlan(List.of(), span(ago(10), LIVE), List.of(), ago(-50)));
    }

    @Test
    void liveTickIsTheLatestAndNoMissedOneIsKeptBesideIt() {
        assertThat(plan(everyMinute, ago(180), Misfire.REPLAY_LATEST))
                .isEqualTo(new TickPlan(List.of(span(ago(180), LIVE)), null, List.of(NOW), ago(-60)));
    }

    @Test
    void missedTicksAreSkippedWhereThatIsThePolicy() {
        assertThat(plan(everyMinute, ago(180), Misfire.SKIP))
                .isEqualTo(new TickPlan(List.of(span(ago(180), LIVE)), null, List.of(NOW), ago(-60)));
        assertThat(plan(everyMinute, ago(190), Misfire.SKIP))
                .isEqualTo(new TickPlan(List.of(span(ago(190), LIVE)), null, List.of(), ago(-50)));
    }

    @Test
    void planIsBoundedAndTheRestStaysDue() {
        TickPlan plan =
                TickPlan.of(Timing.of(everySecond), LIVE, NOW, new MisfireRules(Misfire.REPLAY_ALL, GRACE, AFTER), 3);

        assertThat(plan).isEqualTo(new TickPlan(List.of(), null, List.of(ago(5), ago(4), ago(3)), ago(2)));
    }

    @Test
    void tickAtTheEdgeOfTheGraceIsStillMadeUpFor() {
        assertThat(plan(hourly, OLDEST))
                .isEqualTo(new TickPlan(List.of(), span(OLDEST, LIVE), List.of(NOW), NOW.plus(GRACE)));
    }

    @Test
    void ticksOlderThanTheGraceAreSkipped() {
        Instant due = OLDEST.minusSeconds(90);

        assertThat(plan(everyMinute, due))
                .isEqualTo(new TickPlan(
                        List.of(span(due, OLDEST)), span(OLDEST.plusSeconds(30), LIVE), List.of(), ago(-30)));
        assertThat(plan(everyMinute, due, Misfire.REPLAY_LATEST))
                .isEqualTo(new TickPlan(
                        List.of(span(due, OLDEST), span(OLDEST.plusSeconds(30), ago(30))),
                        span(ago(30), LIVE),
                        List.of(),
                        ago(-30)));
        assertThat(plan(everyMinute, due, Misfire.SKIP))
                .isEqualTo(new TickPlan(
                        List.of(span(due, OLDEST), span(OLDEST.plusSeconds(30), LIVE)), null, List.of(), ago(-30)));
    }

    @Test
    void cronTicksOlderThanTheGraceAreSkipped() {
        Instant due = Instant.parse("2026-03-01T05:00:00Z");

        assertThat(plan(hourly, due))
                .isEqualTo(new TickPlan(List.of(span(due, OLDEST)), span(OLDEST, LIVE), List.of(NOW), NOW.plus(GRACE)));
    }

    @ParameterizedTest
    @EnumSource(Misfire.class)
    void scheduleWithoutATickInTheGraceMovesToTheFuture(Misfire policy) {
        Trigger daily = CronTrigger.of("0 0 3 * * *", "UTC");
        Instant due = Instant.parse("2026-03-08T03:00:00Z");

        assertThat(plan(daily, due, policy))
                .isEqualTo(new TickPlan(
                        List.of(span(due, OLDEST)), null, List.of(), Instant.parse("2026-03-11T03:00:00Z")));
    }

    /** The tolerance for lateness cannot be longer than the grace. */
    @Test
    void shortGraceIsTheToleranceToo() {
        MisfireRules rules = new MisfireRules(Misfire.REPLAY_ALL, Duration.ofSeconds(2), AFTER);

        assertThat(TickPlan.of(Timing.of(everySecond), ago(4), NOW, rules, MOST))
                .isEqualTo(new TickPlan(List.of(span(ago(4), ago(2))), null, List.of(ago(2), ago(1), NOW), ago(-1)));
    }

    @ParameterizedTest
    @EnumSource(value = Misfire.class, mode = Mode.EXCLUDE, names = "SKIP")
    void singleTickIsEnqueuedHoweverLateItIs(Misfire policy) {
        Instant due = NOW.minus(Duration.ofDays(30));

        assertThat(plan(new OnceTrigger(due), due, policy))
                .isEqualTo(new TickPlan(List.of(), null, List.of(due), null));
        assertThat(plan(new FixedDelayTrigger(Duration.ofSeconds(1)), due, policy))
                .isEqualTo(new TickPlan(List.of(), null, List.of(due), null));
    }

    @ParameterizedTest
    @EnumSource(Misfire.class)
    void singleTickThatIsNotLateIsEnqueuedAndNoneFollows(Misfire policy) {
        assertThat(plan(new OnceTrigger(ago(1)), ago(1), policy))
                .isEqualTo(new TickPlan(List.of(), null, List.of(ago(1)), null));
        assertThat(plan(new FixedDelayTrigger(Duration.ofSeconds(1)), ago(1), policy))
                .isEqualTo(new TickPlan(List.of(), null, List.of(ago(1)), null));
    }

    @Test
    void missedSingleTickIsSkippedWhereThatIsThePolicy() {
        assertThat(plan(new OnceTrigger(ago(6)), ago(6), Misfire.SKIP))
                .isEqualTo(new TickPlan(List.of(span(ago(6), ago(6).plusNanos(1_000))), null, List.of(), null));
    }

    /** Nothing else would set it: there is no run that could end. */
    @Test
    void skippedTickOfAFixedDelayIsFollowedByOneAfterTheDelay() {
        assertThat(plan(new FixedDelayTrigger(Duration.ofMinutes(2)), ago(6), Misfire.SKIP))
                .isEqualTo(new TickPlan(List.of(span(ago(6), ago(6).plusNanos(1_000))), null, List.of(), ago(-120)));
    }

    @Test
    void noTickIsAtOrAfterTheEnd() {
        Timing ending = new Timing(everyMinute, Duration.ZERO, null, ago(60));

        assertThat(plan(ending, ago(180), Misfire.REPLAY_ALL))
                .isEqualTo(new TickPlan(List.of(), span(ago(180), LIVE), List.of(), null));
        assertThat(plan(ending, ago(180), Misfire.REPLAY_LATEST))
                .isEqualTo(new TickPlan(List.of(span(ago(180), ago(120))), span(ago(120), LIVE), List.of(), null));
        assertThat(plan(ending, ago(180), Misfire.SKIP))
                .isEqualTo(new TickPlan(List.of(span(ago(180), LIVE)), null, List.of(), null));
    }

    @Test
    void lastTickBeforeTheEndHasNoSuccessor() {
        Timing ending = new Timing(everySecond, Duration.ZERO, null, NOW);

        assertThat(plan(ending, ago(2), Misfire.REPLAY_ALL))
                .isEqualTo(new TickPlan(List.of(), null, List.of(ago(2), ago(1)), null));
    }

    @Test
    void ticksOfAScheduleThatEndedBeforeTheGraceAreAllSkipped() {
        Timing ended = new Timing(everyMinute, Duration.ZERO, null, OLDEST);

        assertThat(plan(ended, OLDEST.minusSeconds(90), Misfire.REPLAY_ALL))
                .isEqualTo(new TickPlan(List.of(span(OLDEST.minusSeconds(90), OLDEST)), null, List.of(), null));
    }

    /** A fixed delay's next tick is set by the end of a run, which does not know the bounds. */
    @Test
    void fixedDelayHasNoTickAtOrAfterTheEnd() {
        Timing ended = new Timing(new FixedDelayTrigger(Duration.ofSeconds(1)), Duration.ZERO, null, ago(1));

        assertThat(plan(ended, ago(1), Misfire.REPLAY_ALL)).isEqualTo(new TickPlan(List.of(), null, List.of(), null));
        assertThat(plan(ended, ago(2), Misfire.REPLAY_ALL).ticks()).containsExactly(ago(2));
    }

    @Test
    void shiftedTicksAreAllLaterByTheSame() {
        Duration shift = Duration.ofSeconds(17);
        Timing shifted = new Timing(hourly, shift, null, null);

        assertThat(plan(shifted, OLDEST.plus(shift), Misfire.REPLAY_ALL))
                .isEqualTo(new TickPlan(List.of(), span(OLDEST.plus(shift), LIVE), List.of(), NOW.plus(shift)));
    }
}
