package dev.distributedscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBackoffTests {

    private static final Exception ERROR = new IllegalStateException();

    private final ExponentialBackoff policy = new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

    @ParameterizedTest
    @CsvSource({"0, PT5S", "1, PT5S", "2, PT10S", "3, PT20S", "4, PT40S", "5, PT1M", "31, PT1M", "2147483647, PT1M"})
    void boundDoublesUpToTheCap(int failures, Duration bound) {
        assertThat(policy.bound(failures)).isEqualTo(bound);
    }

    @Test
    void longestBaseDoesNotOverflow() {
        ExponentialBackoff yearly = new ExponentialBackoff(Duration.ofDays(366), Duration.ofDays(366));

        assertThat(yearly.bound(1_000)).isEqualTo(Duration.ofDays(366));
    }

    @Test
    void waitIsSpreadBetweenZeroAndTheBound() {
        Set<Duration> waits = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            waits.add(policy.retryIn(2, ERROR).orElseThrow());
        }

        assertThat(waits).allMatch(wait -> !wait.isNegative() && wait.compareTo(Duration.ofSeconds(10)) <= 0);
        assertThat(waits).anyMatch(wait -> wait.compareTo(Duration.ofSeconds(2)) < 0);
        assertThat(waits).anyMatch(wait -> wait.compareTo(Duration.ofSeconds(8)) > 0);
    }

    @Test
    void zeroMeansAtOnce() {
        assertThat(new ExponentialBackoff(Duration.ZERO, Duration.ZERO).retryIn(7, ERROR))
                .contains(Duration.ZERO);
    }

    @Test
    void exceptionsMayBeExempt() {
        RetryPolicy exempting = policy.except(List.of(IllegalArgumentException.class));

        assertThat(exempting.retryIn(1, new NumberFormatException())).isEmpty();
        assertThat(exempting.retryIn(1, ERROR)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"PT-1S, PT1S", "PT2S, PT1S"})
    void contradictionIsRefused(Duration base, Duration cap) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExponentialBackoff(base, cap))
                .withMessage("Retry needs 0 <= base <= cap, but has %s and %s", base, cap);
    }
}
