package dev.distributedscheduler.schedule;

import static dev.distributedscheduler.DstGap.RUN_AFTER;
import static dev.distributedscheduler.DstGap.SKIP;
import static dev.distributedscheduler.DstOverlap.ONCE;
import static dev.distributedscheduler.DstOverlap.TWICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of the clock by name, as a user meets them; {@link CronEveryZoneTests} has all of them. */
class CronDstTests {

    private static final String PARIS = "Europe/Paris";
    private static final String SPRING = "2026-03-29"; // from 02:00 to 03:00
    private static final String AUTUMN = "2026-10-25"; // from 03:00 back to 02:00

    private static List<String> ticks(CronTrigger trigger, String day) {
        return ticks(trigger, day, 1);
    }

    private static List<String> ticks(CronTrigger trigger, String firstDay, int days) {
        LocalDate day = LocalDate.parse(firstDay);
        Instant from = day.atStartOfDay(trigger.zoneId()).toInstant();
        Instant to = day.plusDays(days).atStartOfDay(trigger.zoneId()).toInstant();
        return CronTicks.between(trigger, from, to).stream()
                .map(tick -> tick.atZone(trigger.zoneId()).toOffsetDateTime().toString())
                .toList();
    }

    @Test
    void parisRunsTheTickOfTheGapAtItsEndOrSkipsIt() {
        assertThat(ticks(CronTrigger.of("0 30 2 * * *", PARIS), SPRING)).containsExactly("2026-03-29T03:00+02:00");
        assertThat(ticks(CronTrigger.of("0 30 2 * * *", PARIS, SKIP, ONCE), SPRING))
                .isEmpty();
    }

    @Test
    void parisRunsTheTickOfTheOverlapOnceOrTwice() {
        assertThat(ticks(CronTrigger.of("0 30 2 * * *", PARIS), AUTUMN)).containsExactly("2026-10-25T02:30+02:00");
        assertThat(ticks(CronTrigger.of("0 30 2 * * *", PARIS, RUN_AFTER, TWICE), AUTUMN))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-25T02:00+02:00, 2026-10-25T02:30+02:00, 2026-10-25T02:30+02:00",
        "2026-10-25T02:45+02:00, 2026-10-26T02:30+01:00, 2026-10-25T02:30+01:00",
        "2026-10-25T02:00+01:00, 2026-10-26T02:30+01:00, 2026-10-25T02:30+01:00",
        "2026-10-25T02:45+01:00, 2026-10-26T02:30+01:00, 2026-10-26T02:30+01:00"
    })
    void parisFindsTheNextTickFromTheMiddleOfTheOverlap(String from, String once, String twice) {
        assertThat(CronTrigger.of("0 30 2 * * *", PARIS).next(instant(from))).isEqualTo(instant(once));
        assertThat(CronTrigger.of("0 30 2 * * *", PARIS, RUN_AFTER, TWICE).next(instant(from)))
                .isEqualTo(instant(twice));
    }

    @Test
    void ticksOfOneGapCollapseWithEachOtherAndWithTheRegularOneAtItsEnd() {
        assertThat(ticks(CronTrigger.of("0 */20 2 * * *", PARIS), SPRING)).containsExactly("2026-03-29T03:00+02:00");
        assertThat(ticks(CronTrigger.of("0 */30 2-3 * * *", PARIS), SPRING))
                .containsExactly("2026-03-29T03:00+02:00", "2026-03-29T03:30+02:00");
    }

    @Test
    void hourlyJobNeitherPausesNorMakesUp() {
        assertThat(ticks(CronTrigger.of("0 30 * * * *", PARIS), SPRING))
                .hasSize(23)
                .startsWith("2026-03-29T00:30+01:00", "2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00");
        assertThat(ticks(CronTrigger.of("0 30 * * * *", PARIS), AUTUMN))
                .hasSize(25)
                .contains("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00");
    }

    @Test
    void everySecondOfTheLongDayTicks() {
        assertThat(ticks(CronTrigger.of("* * * * * *", PARIS), AUTUMN)).hasSize(25 * 3600);
        assertThat(ticks(CronTrigger.of("* * * * * *", PARIS), SPRING)).hasSize(23 * 3600);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*             | 2",
                "0-23          | 2",
                "*/1           | 2",
                "0/1           | 2",
                "0-11,12-23    | 2",
                "0-22          | 1",
                "1-23          | 1",
                "*/2           | 1",
                "2             | 1"
            })
    void onlyAnExpressionForEveryHourNamesNoTimeOfDay(String hours, int ticksAtTwo) {
        CronTrigger trigger = CronTrigger.of(" 0  0  %s * *  * ".formatted(hours), PARIS);

        assertThat(ticks(trigger, AUTUMN))
                .filteredOn(tick -> tick.startsWith("2026-10-25T02:00"))
                .hasSize(ticksAtTwo);
    }

    @Test
    void cairoSkipsMidnightButNoJobSkipsTheDay() { // spring-framework 36859
        assertThat(ticks(CronTrigger.of("0 0 0 * * *", "Africa/Cairo"), "2025-04-24", 3))
                .containsExactly("2025-04-24T00:00+02:00", "2025-04-25T01:00+03:00", "2025-04-26T00:00+03:00");
        assertThat(ticks(CronTrigger.of("0 0 */2 * * *", "Africa/Cairo"), "2025-04-25"))
                .hasSize(12)
                .startsWith("2025-04-25T01:00+03:00", "2025-04-25T02:00+03:00", "2025-04-25T04:00+03:00");
        assertThat(ticks(CronTrigger.of("0 0 */2 * * *", "Africa/Cairo", SKIP, ONCE), "2025-04-25"))
                .hasSize(11)
                .startsWith("2025-04-25T02:00+03:00");
    }

    @ParameterizedTest
    @CsvSource({
        "2021-03-28T01:00+01:00, 2021-03-29T00:05+02:00", // spring-framework 28038
        "2019-10-27T01:05+02:00, 2019-10-28T00:05+01:00", // spring-framework 28095
        "2019-10-27T02:30+02:00, 2019-10-28T00:05+01:00",
        "2019-10-27T02:30+01:00, 2019-10-28T00:05+01:00"
    })
    void nextDayIsFoundFromEitherSideOfTheChange(String from, String expected) {
        CronTrigger daily = CronTrigger.of("0 5 0 * * *", PARIS);

        assertThat(daily.next(instant(from))).isEqualTo(instant(expected));
    }

    @Test
    void lordHoweChangesByHalfAnHour() {
        String zone = "Australia/Lord_Howe";

        assertThat(ticks(CronTrigger.of("0 15 2 * * *", zone), "2026-10-04")).containsExactly("2026-10-04T02:30+11:00");
        assertThat(ticks(CronTrigger.of("0 30 2 * * *", zone), "2026-10-04")).containsExactly("2026-10-04T02:30+11:00");
        assertThat(ticks(CronTrigger.of("0 45 1 * * *", zone), "2026-04-05")).containsExactly("2026-04-05T01:45+11:00");
        assertThat(ticks(CronTrigger.of("0 45 1 * * *", zone, RUN_AFTER, TWICE), "2026-04-05"))
                .containsExactly("2026-04-05T01:45+11:00", "2026-04-05T01:45+10:30");
    }

    @Test
    void santiagoAndBeirutChangeAtMidnight() {
        assertThat(ticks(CronTrigger.of("0 0 0 * * *", "America/Santiago"), "2026-09-05", 3))
                .containsExactly("2026-09-05T00:00-04:00", "2026-09-06T01:00-03:00", "2026-09-07T00:00-03:00");
        assertThat(ticks(CronTrigger.of("0 30 23 * * *", "America/Santiago"), "2026-04-04", 2))
                .containsExactly("2026-04-04T23:30-03:00", "2026-04-05T23:30-04:00");
        assertThat(ticks(CronTrigger.of("0 30 0 * * *", "Asia/Beirut"), "2026-03-28", 3))
                .containsExactly("2026-03-28T00:30+02:00", "2026-03-29T01:00+03:00", "2026-03-30T00:30+03:00");
        assertThat(ticks(CronTrigger.of("0 0 0 * * *", "Asia/Beirut"), "2026-10-24", 3))
                .containsExactly("2026-10-24T00:00+03:00", "2026-10-25T00:00+02:00", "2026-10-26T00:00+02:00");
    }

    @Test
    void nuukMovesTheLastHourOfTheDayToTheNextDay() {
        assertThat(ticks(CronTrigger.of("0 30 23 * * *", "America/Nuuk"), "2026-03-27", 3))
                .containsExactly("2026-03-27T23:30-02:00", "2026-03-29T00:00-01:00", "2026-03-29T23:30-01:00");
    }

    @Test
    void almatyChangesForGoodWithoutDaylightSaving() {
        assertThat(ticks(CronTrigger.of("0 30 23 * * *", "Asia/Almaty"), "2024-02-29", 2))
                .containsExactly("2024-02-29T23:30+06:00", "2024-03-01T23:30+05:00");
    }

    @Test
    void apiaHasOneTickForTheDayThatItLeftOut() {
        assertThat(ticks(CronTrigger.of("0 30 2,14 * * *", "Pacific/Apia"), "2011-12-29", 3))
                .containsExactly(
                        "2011-12-29T02:30-10:00",
                        "2011-12-29T14:30-10:00",
                        "2011-12-31T00:00+14:00",
                        "2011-12-31T02:30+14:00",
                        "2011-12-31T14:30+14:00");
        assertThat(ticks(CronTrigger.of("0 0 0 * * *", "Pacific/Apia"), "2011-12-29", 3))
                .containsExactly("2011-12-29T00:00-10:00", "2011-12-31T00:00+14:00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2097-01-01T00:00Z", "2100-02-28T12:00Z", "2104-02-28T22:59:59.999999999Z"})
    void leapDayIsFoundAcrossManyChanges(String from) {
        CronTrigger leapDay = CronTrigger.of("0 0 0 29 2 *", PARIS);

        assertThat(leapDay.next(instant(from))).isEqualTo("2104-02-28T23:00:00Z");
    }

    @Test
    void expressionWhoseTicksAllFallIntoGapsNeverFiresWhenTheyAreSkipped() {
        CronTrigger lastSundayOfMarch = CronTrigger.of("0 30 2 ? 3 SUNL", PARIS, SKIP, ONCE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lastSundayOfMarch.first(instant("2026-01-01T00:00Z"), Duration.ZERO))
                .withMessage("The cron expression '0 30 2 ? 3 SUNL' never fires");
        assertThat(CronTrigger.of("0 30 2 31 3 *", PARIS, SKIP, ONCE).next(instant("2024-03-30T12:00Z")))
                .isEqualTo("2025-03-31T00:30:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-29T03:00+02:00, MOVED_OUT_OF_GAP",
        "2026-10-25T02:30+02:00, FIRST_OF_TWO",
        "2026-10-25T02:30+01:00, SECOND_OF_TWO",
        "2026-03-28T02:30+01:00,",
        "2026-10-26T02:30+01:00,"
    })
    void noteTellsWhatTheClockDidToATick(String tick, DstNote expected) {
        CronTrigger trigger = CronTrigger.of("0 30 2 * * *", PARIS, RUN_AFTER, TWICE);

        assertThat(trigger.next(instant(tick).minusSeconds(1))).isEqualTo(instant(tick));
        assertThat(trigger.note(instant(tick)).orElse(null)).isEqualTo(expected);
    }

    @Test
    void regularTickAtTheEndOfAGapNeedsNoNote() {
        CronTrigger trigger = CronTrigger.of("0 0 2-3 * * *", PARIS);

        assertThat(trigger.note(instant("2026-03-29T03:00+02:00"))).isEmpty();
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }
}
