package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TickPlanTests {

    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final Duration GRACE = Duration.ofHours(1);
    private static final int MOST = 100;

    private final Trigger everyMinute = new FixedRateTrigger(Duration.ofMinutes(1));
    private final Trigger hourly = CronTrigger.of("0 0 * * * *", "UTC");

    private static TickPlan plan(Trigger trigger, Instant due) {
        return TickPlan.of(trigger, due, NOW, GRACE, MOST);
    }

    @Test
    void dueTickIsEnqueuedAndTheScheduleMovesToTheNext() {
        TickPlan plan = plan(everyMinute, NOW);

        assertThat(plan.ticks()).containsExactly(NOW);
        assertThat(plan.next()).isEqualTo(NOW.plusSeconds(60));
        assertThat(plan.lastTick()).isEqualTo(NOW);
        assertThat(plan.skippedFrom()).isNull();
    }

    @Test
    void latenessDoesNotAddUp() {
        TickPlan plan = plan(everyMinute, NOW.minusSeconds(7));

        assertThat(plan.next()).isEqualTo(NOW.plusSeconds(53));
    }

    @Test
    void missedTicksWithinTheGraceAreReplayedInOrder() {
        TickPlan plan = plan(everyMinute, NOW.minusSeconds(180));

        assertThat(plan.ticks())
                .containsExactly(NOW.minusSeconds(180), NOW.minusSeconds(120), NOW.minusSeconds(60), NOW);
        assertThat(plan.skippedFrom()).isNull();
    }

    @Test
    void planIsBoundedAndTheRestStaysDue() {
        TickPlan plan = TickPlan.of(everyMinute, NOW.minusSeconds(600), NOW, GRACE, 3);

        assertThat(plan.ticks()).hasSize(3);
        assertThat(plan.next()).isEqualTo(NOW.minusSeconds(420));
        assertThat(plan.lastTick()).isEqualTo(NOW.minusSeconds(480));
    }

    @Test
    void tickAtTheEdgeOfTheGraceStillRuns() {
        assertThat(plan(hourly, NOW.minus(GRACE)).ticks()).containsExactly(NOW.minus(GRACE), NOW);
    }

    @Test
    void ticksOlderThanTheGraceAreSkipped() {
        TickPlan plan = plan(everyMinute, NOW.minus(GRACE).minusSeconds(90));

        assertThat(plan.skippedFrom()).isEqualTo(NOW.minus(GRACE).minusSeconds(90));
        assertThat(plan.ticks()).hasSize(60).first().isEqualTo(NOW.minus(GRACE).plusSeconds(30));
        assertThat(plan.next()).isEqualTo(NOW.plusSeconds(30));
    }

    @Test
    void cronTicksOlderThanTheGraceAreSkipped() {
        TickPlan plan = plan(hourly, Instant.parse("2026-03-01T05:00:00Z"));

        assertThat(plan.skippedFrom()).isEqualTo(Instant.parse("2026-03-01T05:00:00Z"));
        assertThat(plan.ticks()).containsExactly(NOW);
        assertThat(plan.next()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    }

    @Test
    void scheduleWithoutATickInTheGraceMovesToTheFuture() {
        Trigger daily = CronTrigger.of("0 0 3 * * *", "UTC");

        TickPlan plan = plan(daily, Instant.parse("2026-03-08T03:00:00Z"));

        assertThat(plan.ticks()).isEmpty();
        assertThat(plan.lastTick()).isEqualTo(Instant.parse("2026-03-08T03:00:00Z"));
        assertThat(plan.next()).isEqualTo(Instant.parse("2026-03-11T03:00:00Z"));
    }

    @Test
    void tenYearsOfMillisecondsAreSkippedInOneStep() {
        Trigger everyMillisecond = new FixedRateTrigger(Duration.ofMillis(1));

        TickPlan plan = plan(everyMillisecond, NOW.minus(Duration.ofDays(3650)));

        assertThat(plan.ticks())
                .hasSize(MOST)
                .first()
                .isEqualTo(NOW.minus(GRACE).plusMillis(1));
    }

    @Test
    void fixedDelayHasOneTickAndWaitsForTheRun() {
        TickPlan plan = plan(new FixedDelayTrigger(Duration.ofSeconds(1)), NOW.minusSeconds(30));

        assertThat(plan.ticks()).containsExactly(NOW.minusSeconds(30));
        assertThat(plan.next()).isNull();
    }

    @Test
    void fixedDelayIsNeverSkippedBecauseNothingWouldSetItsNextTick() {
        TickPlan plan = plan(new FixedDelayTrigger(Duration.ofSeconds(1)), NOW.minus(Duration.ofDays(30)));

        assertThat(plan.ticks()).hasSize(1);
        assertThat(plan.skippedFrom()).isNull();
    }
}
