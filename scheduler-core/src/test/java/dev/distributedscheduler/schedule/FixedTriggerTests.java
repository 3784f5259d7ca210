package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
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
