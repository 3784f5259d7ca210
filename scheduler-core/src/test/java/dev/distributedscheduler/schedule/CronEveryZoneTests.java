package dev.distributedscheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link CronTrigger} against {@link CronModel} in every zone of the JDK: around all changes of the clock from
 * 2024 to 2030, and around one of each kind before.
 *
 * <p>Checked by hand that this fails when {@code CronTrigger} takes the later offset in an overlap, moves each tick of a
 * gap by the gap's length so that they do not collapse, ignores a policy or the exception for every hour, forgets or
 * doubles the second pass, takes the end of an overlap or of a gap to the wrong side, gives up after one gap, or leaves
 * all to Spring on a {@code ZonedDateTime}.
 */
class CronEveryZoneTests {

    private static final Instant HISTORY = Instant.parse("1800-01-01T00:00:00Z");
    private static final Instant BEGIN = Instant.parse("2024-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2031-01-01T00:00:00Z");
    private static final Instant FUTURE = Instant.parse("2100-01-01T00:00:00Z");
    private static final Instant NO_CHANGE = Instant.parse("2027-07-01T00:00:00Z");
    private static final Duration WINDOW = Duration.ofHours(30); // a daily tick on either side of the change

    private static final List<String> EXPRESSIONS = List.of(
            "0 0 0 * * *",
            "0 30 0 * * *",
            "0 30 1 * * *",
            "0 0 2 * * *",
            "0 30 2 * * *",
            "0 0 3 * * *",
            "0 59 23 * * *",
            "0 0 * * * *",
            "0 30 * * * *",
            "0 0/15 * * * *",
            "0 * * * * *",
            "0 30 2 * * 1-5",
            "0 */20 1-3 * * *",
            "0 0 */2 * * *",
            "0 45 0-11,12-23 * * *",
            "0 10,50 22-23,0-1 * * 6,7");

    /** Zones whose clocks are the same all the time from 2024 to 2030 stand for each other. */
    static Collection<ZoneId> zones() {
        Map<List<Object>, ZoneId> zones = new LinkedHashMap<>();
        for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(id);
            Instant before = BEGIN.minus(Duration.ofDays(30));
            Object offset = zone.getRules().getOffset(before);
            zones.putIfAbsent(List.of(offset, transitions(zone, before, END.plus(Duration.ofDays(30)))), zone);
        }
        return zones.values();
    }

    private static List<ZoneOffsetTransition> transitions(ZoneId zone, Instant from, Instant to) {
        ZoneRules rules = zone.getRules();
        List<ZoneOffsetTransition> transitions = new ArrayList<>();
        ZoneOffsetTransition next = rules.nextTransition(from);
        while (next != null && next.getInstant().isBefore(to)) {
            transitions.add(next);
            next = rules.nextTransition(next.getInstant());
        }
        return transitions;
    }

    @ParameterizedTest
    @MethodSource("zones")
    void ticksOfEveryZoneAreThoseOfTheModel(ZoneId zone) {
        List<ZoneOffsetTransition> transitions = transitions(zone, BEGIN, END);

        for (ZoneOffsetTransition transition : transitions) {
            compareAround(transition.getInstant(), zone);
        }
        if (transitions.isEmpty()) {
            compareAround(NO_CHANGE, zone);
        }
    }

    /** One zone and date for each day of the week, time and length of a change; lengths are from a minute to a day. */
    @Test
    void ticksAroundEveryKindOfChangeInHistoryAreThoseOfTheModel() {
        Map<List<Object>, Runnable> kinds = new LinkedHashMap<>();
        for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(id);
            for (ZoneOffsetTransition change : transitions(zone, HISTORY, BEGIN)) {
                LocalDateTime before = change.getDateTimeBefore();
                if (isAtFullMinutes(change)) {
                    kinds.putIfAbsent(
                            List.of(before.getDayOfWeek(), before.toLocalTime(), change.getDuration()),
                            () -> compareAround(change.getInstant(), zone));
                }
            }
        }

        assertThat(kinds).hasSizeGreaterThan(100);
        kinds.values().forEach(Runnable::run);
    }

    /** Local mean times are not, and the model reads the clock once a minute. */
    private static boolean isAtFullMinutes(ZoneOffsetTransition change) {
        return change.getInstant().getEpochSecond() % 60 == 0
                && change.getOffsetBefore().getTotalSeconds() % 60 == 0
                && change.getOffsetAfter().getTotalSeconds() % 60 == 0;
    }

    /** The trigger looks at one change at a time; two that touch would need more. */
    @Test
    void noZoneHasEverChangedItsClockTwiceWithinThreeDays() {
        for (String id : ZoneId.getAvailableZoneIds()) {
            List<ZoneOffsetTransition> changes = transitions(ZoneId.of(id), HISTORY, FUTURE);
            for (int i = 1; i < changes.size(); i++) {
                assertThat(changes.get(i).getInstant())
                        .as(id)
                        .isAfter(changes.get(i - 1).getInstant().plus(Duration.ofDays(3)));
            }
        }
    }

    private static void compareAround(Instant center, ZoneId zone) {
        Instant from = center.minus(WINDOW);
        Instant to = center.plus(WINDOW);
        WallClock clock = new WallClock(zone, from, to);
        for (String expression : EXPRESSIONS) {
            CronModel model = new CronModel(expression);
            for (DstGap gap : DstGap.values()) {
                for (DstOverlap overlap : DstOverlap.values()) {
                    CronTrigger trigger = CronTrigger.of(expression, zone.getId(), gap, overlap);
                    List<Instant> expected = model.ticks(clock, gap, overlap);

                    assertThat(CronTicks.between(trigger, from, to))
                            .as("%s around %s", trigger, center)
                            .isEqualTo(expected);
                    compareFromAnywhere(trigger, center, expected);
                }
            }
        }
    }

    private static void compareFromAnywhere(CronTrigger trigger, Instant center, List<Instant> expected) {
        Random random = new Random(center.getEpochSecond());
        for (int i = 0; i < 20; i++) {
            long reach = (i % 2 == 0 ? WINDOW : Duration.ofHours(2)).toNanos();
            Instant anywhere = center.plusNanos(random.nextLong(-reach, reach));

            Instant next = trigger.next(anywhere);

            int place = Collections.binarySearch(expected, anywhere);
            int following = place < 0 ? -place - 1 : place + 1;
            if (following < expected.size()) {
                assertThat(next).as("%s from %s", trigger, anywhere).isEqualTo(expected.get(following));
            } else {
                assertThat(next).as("%s from %s", trigger, anywhere).isAfterOrEqualTo(center.plus(WINDOW));
            }
        }
    }

    /** A tick made up for at the end of a gap, and so before its time of day, belongs to the day before. */
    @ParameterizedTest
    @MethodSource("zones")
    void dailyJobRunsExactlyOncePerLocalDay(ZoneId zone) {
        List<LocalDate> days = Stream.iterate(LocalDate.of(2024, 1, 1), day -> day.plusDays(1))
                .limit(7 * 365 + 2)
                .filter(day -> day.atStartOfDay(zone).toLocalDate().equals(day))
                .toList();
        Instant from = days.get(0).atStartOfDay(zone).toInstant();
        Instant to = LocalDate.of(2031, 1, 1).atStartOfDay(zone).toInstant();

        for (LocalTime time : timesOfDay()) {
            CronTrigger daily =
                    CronTrigger.of("0 %d %d * * *".formatted(time.getMinute(), time.getHour()), zone.getId());

            assertThat(CronTicks.between(daily, from, to).stream()
                            .map(tick -> LocalDateTime.ofInstant(tick, zone))
                            .map(tick -> tick.toLocalDate()
                                    .minusDays(tick.toLocalTime().isBefore(time) ? 1 : 0))
                            .toList())
                    .as("%s", daily)
                    .isEqualTo(days);
        }
    }

    private static List<LocalTime> timesOfDay() {
        return IntStream.range(0, 48)
                .mapToObj(half -> LocalTime.MIDNIGHT.plusMinutes(30L * half))
                .toList();
    }
}
