package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnceAfterTriggerTests {

    private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

    @Test
    void tickComesOnceSoLongAfterTheScheduleBecameKnown() {
        OnceAfterTrigger trigger = new OnceAfterTrigger(Duration.ofSeconds(90));

        assertThat(trigger.first(NOW, Duration.ZERO)).isEqualTo(NOW.plusSeconds(90));
        assertThat(trigger.next(NOW)).isNull();
        assertThat(trigger.next(NOW.minusSeconds(3600))).isNull();
        assertThat(trigger.isSingle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.001S", "PT1M30S", "PT8760H"})
    void expressionCanBeReadAgain(Duration delay) {
        OnceAfterTrigger trigger = new OnceAfterTrigger(delay);

        assertThat(OnceAfterTrigger.parse(trigger.expression())).contains(trigger);
        assertThat(trigger.kind()).isEqualTo(Trigger.Kind.ONCE);
    }

    @Test
    void expressionIsTheSameOnEveryNodeAndAfterEveryRestart() {
        assertThat(new OnceAfterTrigger(Duration.ofMinutes(90)).expression()).isEqualTo("after PT1H30M");
    }

    @Test
    void pointInTimeIsNotADelay() {
        assertThat(OnceAfterTrigger.parse(new OnceTrigger(NOW).expression())).isEmpty();
    }

    @Test
    void whatIsNoDurationIsRefused() {
        assertThatExceptionOfType(DateTimeParseException.class).isThrownBy(() -> OnceAfterTrigger.parse("after lunch"));
    }

    @Test
    void negativeDelayIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OnceAfterTrigger(Duration.ofMillis(-1)))
                .withMessage("A delay cannot be negative, but is PT-0.001S");
    }

    @Test
    void singleTickIsRunHoweverLateItIs() {
        Timing timing = Timing.of(new OnceAfterTrigger(Duration.ZERO));
        MisfireRules rules = new MisfireRules(Misfire.REPLAY_ALL, Duration.ofHours(1), Duration.ofSeconds(5));

        TickPlan plan = TickPlan.of(timing, NOW.minus(Duration.ofDays(30)), NOW, rules, 100);

        assertThat(plan.ticks()).containsExactly(NOW.minus(Duration.ofDays(30)));
        assertThat(plan.next()).isNull();
    }
}
