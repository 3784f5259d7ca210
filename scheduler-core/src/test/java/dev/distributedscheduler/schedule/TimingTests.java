package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.ScheduleKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTests {

    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");
    private static final Trigger HOURLY = CronTrigger.of("0 0 * * * *", "UTC");
    private static final Trigger EVERY_MINUTE = new FixedRateTrigger(Duration.ofMinutes(1));

    private static Timing from(Trigger trigger, Instant from) {
        return new Timing(trigger, Duration.ZERO, from, null);
    }

    private static Timing until(Trigger trigger, Instant until) {
        return new Timing(trigger, Duration.ZERO, null, until);
    }

    private static Timing shifted(Trigger trigger, Duration shift) {
        return new Timing(trigger, shift, null, null);
    }

    @Test
    void firstTickIsNotBeforeTheStart() {
        Instant start = NOON.plus(Duration.ofDays(2)).plusSeconds(30);

        assertThat(from(HOURLY, start).first(NOON, Duration.ZERO)).isEqualTo(start.plusSeconds(3570));
        assertThat(from(EVERY_MINUTE, start).first(NOON, Duration.ofSeconds(7))).isEqualTo(start.plusSeconds(7));
    }

    @Test
    void tickAtTheVeryStartIsOne() {
        Instant start = NOON.plus(Duration.ofDays(2));
        BeanTrigger everySecond = new BeanTrigger(
                "every second",
                context -> context.getClock()
                        .instant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .plusSeconds(1));

        assertThat(from(HOURLY, start).first(NOON, Duration.ZERO)).isEqualTo(start);
        assertThat(from(EVERY_MINUTE, start).first(NOON, Duration.ZERO)).isEqualTo(start);
        assertThat(from(everySecond, start).first(NOON, Duration.ZERO)).isEqualTo(start);
        assertThat(new Timing(HOURLY, Duration.ofMinutes(7), start.plus(Duration.ofMinutes(7)), null)
                        .first(NOON, Duration.ZERO))
                .isEqualTo(start.plus(Duration.ofMinutes(7)));
    }

    @Test
    void beanThatYieldsNothingMoreLeavesNoTick() {
        BeanTrigger over = new BeanTrigger("over", context -> null);

        assertThat(Timing.of(over).first(NOON, Duration.ofSeconds(7))).isNull();
        assertThat(from(over, NOON.plusSeconds(60)).first(NOON, Duration.ZERO)).isNull();
        assertThat(Timing.of(over).next(NOON)).isNull();
    }

    @Test
    void nextTickIsNotBeforeTheStartEither() {
        assertThat(from(HOURLY, NOON).next(NOON.minusSeconds(9_000))).isEqualTo(NOON);
        assertThat(from(HOURLY, NOON).next(NOON)).isEqualTo(NOON.plusSeconds(3600));
    }

    @Test
    void startThatHasPassedMeansNothing() {
        assertThat(from(HOURLY, NOON.minusSeconds(5000)).first(NOON, Duration.ZERO))
                .isEqualTo(NOON.plusSeconds(3600));
        assertThat(from(EVERY_MINUTE, NOON.minusSeconds(5000)).first(NOON, Duration.ZERO))
                .isEqualTo(NOON);
    }

    @Test
    void thereIsNoTickAtOrAfterTheEnd() {
        Timing ending = until(HOURLY, NOON.plusSeconds(7200));

        assertThat(ending.first(NOON, Duration.ZERO)).isEqualTo(NOON.plusSeconds(3600));
        assertThat(ending.next(NOON)).isEqualTo(NOON.plusSeconds(3600));
        assertThat(ending.next(NOON.plusSeconds(3600))).isNull();
        assertThat(ending.firstFrom(NOON, NOON.plusSeconds(3601))).isNull();
        assertThat(ending.first(NOON.plusSeconds(3600), Duration.ZERO)).isNull();
    }

    @Test
    void boundsHoldForASingleTickToo() {
        Trigger once = new OnceTrigger(NOON);

        assertThat(until(once, NOON).first(NOON.minusSeconds(9), Duration.ZERO)).isNull();
        assertThat(until(once, NOON.plusSeconds(1)).first(NOON.minusSeconds(9), Duration.ZERO))
                .isEqualTo(NOON);
        assertThat(from(once, NOON.plusSeconds(1)).first(NOON.minusSeconds(9), Duration.ZERO))
                .isNull();
        assertThat(from(once, NOON).first(NOON.minusSeconds(9), Duration.ZERO)).isEqualTo(NOON);
    }

    @Test
    void scheduleCannotEndBeforeItStarts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Timing(HOURLY, Duration.ZERO, NOON, NOON))
                .withMessage("A schedule cannot end at 2026-03-10T12:00:00Z and start at 2026-03-10T12:00:00Z");
    }

    @Test
    void shiftMovesEveryTick() {
        Timing shifted = shifted(HOURLY, Duration.ofMinutes(10));

        assertThat(shifted.first(NOON, Duration.ZERO)).isEqualTo(NOON.plusSeconds(600));
        assertThat(shifted.next(NOON.plusSeconds(600))).isEqualTo(NOON.plusSeconds(4200));
        assertThat(shifted.firstFrom(NOON.plusSeconds(600), NOON.plusSeconds(4201)))
                .isEqualTo(NOON.plusSeconds(7800));
        assertThat(shifted(EVERY_MINUTE, Duration.ofSeconds(7)).first(NOON, Duration.ZERO))
                .isEqualTo(NOON.plusSeconds(7));
    }

    @Test
    void spreadIsStableAndCoversItsSpan() {
        Duration span = Duration.ofMinutes(10);
        List<Duration> shifts = IntStream.range(0, 1_000)
                .mapToObj(i -> Spread.shift(new ScheduleKey("tenant-" + i % 7, "report-" + i), span))
                .toList();

        assertThat(shifts).allMatch(shift -> !shift.isNegative() && shift.compareTo(span) < 0);
        for (int minute = 0; minute < 10; minute++) {
            int from = minute;
            assertThat(shifts.stream().filter(shift -> shift.toMinutes() == from))
                    .hasSizeBetween(60, 140);
        }
        assertThat(Spread.shift(ScheduleKey.of("report"), span))
                .isEqualTo(Spread.shift(ScheduleKey.of("report"), span));
        assertThat(Spread.shift(ScheduleKey.of("report"), Duration.ZERO)).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT24H0.001S"})
    void spreadOutsideItsBoundsIsRefused(Duration span) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spread.shift(ScheduleKey.of("report"), span))
                .withMessage("A spread is between zero and a day, but is %s", span);
    }

    static Stream<Timing> timings() {
        Random random = new Random(20260310);
        Stream<Timing> crons = Stream.generate(() -> cron(random)).limit(300).map(Timing::of);
        Stream<Timing> rates = Stream.of(1, 2, 7, 999, 1_000, 61_001)
                .map(millis -> Timing.of(new FixedRateTrigger(Duration.ofMillis(millis))));
        Stream<Timing> others = Stream.of(
                until(EVERY_MINUTE, NOON.plusSeconds(100)),
                shifted(HOURLY, Duration.ofMillis(123_456)),
                new Timing(HOURLY, Duration.ofMinutes(3), null, NOON.plusSeconds(10_000)));
        return Stream.of(crons, rates, others).flatMap(stream -> stream);
    }

    private static Trigger cron(Random random) {
        String zone = List.of("UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo")
                .get(random.nextInt(5));
        String expression = "%s %s %s * * %s"
                .formatted(
                        field(random, 60),
                        field(random, 60),
                        field(random, 24),
                        random.nextInt(5) == 0 ? "MON-FRI" : "*");
        return CronTrigger.of(expression, zone);
    }

    private static String field(Random random, int size) {
        return switch (random.nextInt(4)) {
            case 0 -> "*";
            case 1 -> "*/" + (1 + random.nextInt(size - 1));
            case 2 -> random.nextInt(size) + "," + random.nextInt(size);
            default -> String.valueOf(random.nextInt(size));
        };
    }

    /** Spans from a tick to a thousand, which is milliseconds to years, some of them over a change of the clock. */
    @ParameterizedTest
    @MethodSource("timings")
    void lastTickBeforeATimeIsTheOneThatWalkingFinds(Timing timing) {
        Random random = new Random(7);
        for (int i = 0; i < 10; i++) {
            Instant start = timing.until() == null ? NOON.plusSeconds(random.nextLong(730) * 43_200) : NOON;
            Instant tick = timing.next(start);
            Instant last = tick;
            Instant next = timing.next(last);
            for (int steps = random.nextInt(1 << (1 + i)); steps > 0 && next != null; steps--) {
                last = next;
                next = timing.next(last);
            }
            Instant beyond = next == null ? last.plusSeconds(1_000_000) : next;
            Instant end = beyond.minusMillis(
                    random.nextLong(Duration.between(last, beyond).toMillis()));

            assertThat(timing.lastBefore(tick, end))
                    .as("%s from %s to %s", timing, tick, end)
                    .isEqualTo(last);
        }
    }
}
