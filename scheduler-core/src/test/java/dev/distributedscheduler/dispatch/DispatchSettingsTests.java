package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchSettingsTests {

    @ParameterizedTest
    @CsvSource({
        "PT0.009S, PT1H, PT5S,   PT1H,   P90D,  ,      dispatch.poll-every,            PT0.009S, PT0.01S",
        "PT5S,     PT0S, PT5S,   PT1H,   P90D,  ,      dispatch.misfire-grace,         PT0S,     PT1S",
        "PT5S,     PT1H, PT0.9S, PT1H,   P90D,  ,      dispatch.misfire-after,         PT0.9S,   PT1S",
        "PT5S,     PT1H, PT5S,   PT0.9S, P90D,  ,      dispatch.retire-after,          PT0.9S,   PT1S",
        "PT5S,     PT1H, PT5S,   PT1H,   PT23H, ,      dispatch.history-retention,     PT23H,    PT24H",
        "PT5S,     PT1H, PT5S,   PT1H,   P90D,  PT23H, dispatch.dead-letter-retention, PT23H,    PT24H"
    })
    void valueBelowItsLeastNamesThePropertyAndTheLeast(
            Duration poll,
            Duration grace,
            Duration after,
            Duration retire,
            Duration history,
            Duration deadLetters,
            String property,
            String value,
            String least) {
        SchedulerConfigurationException refusal = catchThrowableOfType(
                SchedulerConfigurationException.class,
                () -> new DispatchSettings(true, poll, grace, after, 2, retire, history, deadLetters, Mode.SINGLE));

        assertThat(refusal).hasMessage("distributed-scheduler.%s is %s", property, value);
        assertThat(refusal.remedy()).isEqualTo("Set it to at least %s.", least);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 0, -2, Double.NaN})
    void catchUpThatWouldNeverCatchUpIsRefused(double rate) {
        DispatchSettings usual = DispatchSettings.DEFAULT;

        assertThatExceptionOfType(SchedulerConfigurationException.class)
                .isThrownBy(() -> new DispatchSettings(
                        true,
                        usual.pollEvery(),
                        usual.misfireGrace(),
                        usual.misfireAfter(),
                        rate,
                        usual.retireAfter(),
                        usual.historyRetention(),
                        null,
                        usual.mode()))
                .withMessage("distributed-scheduler.dispatch.catch-up-rate is %s", rate);
    }
}
