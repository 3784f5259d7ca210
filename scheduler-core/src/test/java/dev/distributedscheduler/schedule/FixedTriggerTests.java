package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixedTriggerTests {

    private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000999S", "PT-1S", "PT87840H0.001S"})
    void periodOutsideTheBoundsIsRefused(Duration period) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FixedRateTrigger(period))
                .withMessage("A fixed rate must be between 1 ms and 10 years, but is %s", period);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FixedDelayTrigger(period))
                .withMessage("A fixed delay must be between 1 ms and 10 years, but is %s", period);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT1M30S", "PT87840H"})
    void storedFormReadsBackAsTheSameTrigger(Duration period) {
        Trigger rate = new FixedRateTrigger(period);
        Trigger delay = new FixedDelayTrigger(period);

        assertThat(Trigger.of(rate.kind(), rate.expression(), rate.zone())).isEqualTo(rate);
        assertThat(Trigger.of(delay.kind(), delay.expression(), delay.zone())).isEqualTo(delay);
    }

    @Test
    void unreadablePeriodIsRefused() {
        assertThatThrownBy(() -> Trigger.of(Trigger.Kind.FIXED_RATE, "soon", null))
                .isInstanceOf(DateTimeParseException.class);
    }

    @Test
    void firstTickComesAfterTheInitialDelay() {
        assertThat(new FixedRateTrigger(Duration.ofHours(1)).first(NOW, Duration.ofSeconds(5)))
                .isEqualTo(NOW.plusSeconds(5));
        assertThat(new FixedDelayTrigger(Duration.ofHours(1)).first(NOW, Duration.ZERO))
                .isEqualTo(NOW);
    }

    @Test
    void rateCountsFromTickToTickAndDelayFromTheEndOfTheRun() {
        assertThat(new FixedRateTrigger(Duration.ofHours(1)).next(NOW)).isEqualTo(NOW.plusSeconds(3600));
        assertThat(new FixedDelayTrigger(Duration.ofHours(1)).next(NOW)).isNull();
    }
}
