package dev.distributedscheduler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderSettingsTests {

    private static SchedulerConfigurationException refusal(Duration lease, Duration renew, Duration check) {
        return catchThrowableOfType(
                SchedulerConfigurationException.class, () -> new LeaderSettings(lease, renew, check));
    }

    @Test
    void leaseBelowASecondIsRefused() {
        SchedulerConfigurationException refusal =
                refusal(Duration.ofMillis(999), Duration.ofMillis(300), Duration.ofMillis(300));

        assertThat(refusal).hasMessageContaining("PT0.999S");
        assertThat(refusal.remedy()).contains("distributed-scheduler.leader.lease");
    }

    @ParameterizedTest
    @CsvSource({"PT15S", "PT30S", "PT0S", "PT-1S"})
    void renewalThatAllowsForNoFailureIsRefused(Duration renewEvery) {
        SchedulerConfigurationException refusal = refusal(Duration.ofSeconds(30), renewEvery, Duration.ofSeconds(1));

        assertThat(refusal).hasMessageContaining(renewEvery.toString()).hasMessageContaining("PT30S");
        assertThat(refusal.remedy()).contains("distributed-scheduler.leader.renew-every");
    }

    @ParameterizedTest
    @CsvSource({"PT31S", "PT0S", "PT-1S"})
    void checkThatIsNoUseIsRefused(Duration checkEvery) {
        SchedulerConfigurationException refusal = refusal(Duration.ofSeconds(30), Duration.ofSeconds(10), checkEvery);

        assertThat(refusal).hasMessageContaining(checkEvery.toString());
        assertThat(refusal.remedy()).contains("distributed-scheduler.leader.check-every");
    }

    @Test
    void closestValuesAreAccepted() {
        LeaderSettings settings =
                new LeaderSettings(Duration.ofSeconds(1), Duration.ofMillis(499), Duration.ofSeconds(1));

        assertThat(settings.margin()).isEqualTo(Duration.ofMillis(100));
    }
}
