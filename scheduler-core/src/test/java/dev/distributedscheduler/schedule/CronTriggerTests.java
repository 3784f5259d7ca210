package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTriggerTests {

    private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "UTC,              2026-01-16T02:00:00Z",
        "Europe/Paris,     2026-01-16T01:00:00Z",
        "America/New_York, 2026-01-16T07:00:00Z",
        "Asia/Kolkata,     2026-01-15T20:30:00Z"
    })
    void twoOClockMeansTwoOClockInTheZone(String zone, Instant expected) {
        assertThat(CronTrigger.of("0 0 2 * * *", zone).next(NOON)).isEqualTo(expected);
    }

    @Test
    void sameLocalTimeAcrossTheChangeToSummerTime() {
        CronTrigger trigger = CronTrigger.of("0 0 9 * * *", "Europe/Paris");

        Instant before = trigger.next(Instant.parse("2026-03-28T00:00:00Z"));

        assertThat(before).isEqualTo(Instant.parse("2026-03-28T08:00:00Z"));
        assertThat(trigger.next(before)).isEqualTo(Instant.parse("2026-03-29T07:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource({"Europe/Paris", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "America/Santiago"})
    void noonComesOnceADayAllYear(String zone) {
        CronTrigger trigger = CronTrigger.of("0 0 12 * * *", zone);

        Instant first = trigger.next(NOON);

        assertThat(Stream.iterate(first, trigger::next)
                        .limit(365)
                        .map(tick -> LocalDateTime.ofInstant(tick, trigger.zoneId())))
                .containsExactlyElementsOf(
                        Stream.iterate(LocalDateTime.ofInstant(first, trigger.zoneId()), day -> day.plusDays(1))
                                .limit(365)
                                .toList());
    }

    @Test
    void macroIsStoredAsTheExpressionItStandsFor() {
        CronTrigger trigger = CronTrigger.of("@daily", "UTC");

        assertThat(trigger.expression()).isEqualTo("0 0 0 * * *");
        assertThat(trigger.next(NOON)).isEqualTo(Instant.parse("2026-01-16T00:00:00Z"));
    }

    @Test
    void initialDelayIsOverBeforeTheFirstTick() {
        CronTrigger hourly = CronTrigger.of("0 0 * * * *", "UTC");

        assertThat(hourly.first(NOON, Duration.ZERO)).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(hourly.first(NOON, Duration.ofMinutes(90))).isEqualTo(NOON.plus(Duration.ofHours(2)));
    }

    @Test
    void expressionThatNeverFiresIsNamed() {
        CronTrigger never = CronTrigger.of("0 0 0 31 2 *", "UTC");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> never.first(NOON, Duration.ZERO))
                .withMessage("The cron expression '0 0 0 31 2 *' never fires");
    }

    @Test
    void unreadableExpressionAndZoneAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> CronTrigger.of("every day", "UTC"));
        assertThatThrownBy(() -> CronTrigger.of("0 0 0 * * *", "Mars/Phobos"))
                .isInstanceOf(DateTimeException.class)
                .hasMessageContaining("Mars/Phobos");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronTrigger.of("0 0 0 * * *", null))
                .withMessageContaining("time zone");
    }
}
