package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.schedule.TickPlan.Span;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However many ticks were missed, a plan costs a few calls of the trigger: they are counted here. */
class TickPlanCostTests {

    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final Duration GRACE = Duration.ofDays(7);
    private static final Duration AFTER = Duration.ofSeconds(5);
    private static final int MOST = 100;

    private final AtomicInteger calls = new AtomicInteger();
    private final Timing everySecond = Timing.of(new BeanTrigger("every second", context -> {
        calls.incrementAndGet();
        return context.getClock().instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }));

    private TickPlan plan(Instant due, Misfire policy) {
        return TickPlan.of(everySecond, due, NOW, new MisfireRules(policy, GRACE, AFTER), MOST);
    }

    /** Six live ticks and the one that follows are always looked at; 20,000 ticks are about 15 halvings. */
    @ParameterizedTest
    @CsvSource({"REPLAY_ALL, 8", "REPLAY_LATEST, 8", "SKIP, 8"})
    void twentyThousandMissedTicksCostAFewCalls(Misfire policy, int most) {
        TickPlan plan = plan(NOW.minusSeconds(20_000), policy);

        assertThat(plan.ticks()).hasSize(6);
        assertThat(calls.get()).isLessThanOrEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"REPLAY_ALL, 8", "REPLAY_LATEST, 8", "SKIP, 8"})
    void yearsOfMissedTicksCostAFewCallsToo(Misfire policy, int most) {
        Instant due = NOW.minus(Duration.ofDays(3650));

        TickPlan plan = plan(due, policy);

        assertThat(plan.skipped()).first().isEqualTo(new Span(due, NOW.minus(GRACE)));
        assertThat(calls.get()).isLessThanOrEqualTo(most + 1);
    }

    @Test
    void latestOfManyMissedTicksIsFoundByHalving() {
        Timing ended = new Timing(everySecond.trigger(), Duration.ZERO, null, NOW.minusSeconds(60));

        TickPlan plan = TickPlan.of(
                ended, NOW.minusSeconds(20_000), NOW, new MisfireRules(Misfire.REPLAY_LATEST, GRACE, AFTER), MOST);

        assertThat(plan.missed()).isEqualTo(new Span(NOW.minusSeconds(61), NOW.minus(AFTER)));
        assertThat(calls.get()).isLessThanOrEqualTo(40); // halvings from 20,000 s to 1 ms, and a few
    }

    @Test
    void tenYearsOfMillisecondsArePlannedInOneStep() {
        Timing everyMillisecond = Timing.of(new FixedRateTrigger(Duration.ofMillis(1)));
        Instant due = NOW.minus(Duration.ofDays(3650));

        TickPlan plan =
                TickPlan.of(everyMillisecond, due, NOW, new MisfireRules(Misfire.REPLAY_ALL, GRACE, AFTER), MOST);

        assertThat(plan.skipped()).isEqualTo(List.of(new Span(due, NOW.minus(GRACE))));
        assertThat(plan.missed()).isEqualTo(new Span(NOW.minus(GRACE), NOW.minus(AFTER)));
        assertThat(plan.ticks()).hasSize(MOST).first().isEqualTo(NOW.minus(AFTER));
        assertThat(plan.next()).isEqualTo(NOW.minus(AFTER).plusMillis(MOST));
    }
}
