package dev.distributedscheduler.schedule;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The ticks of a cron expression by brute force: reads a {@link WallClock} and decides for each minute.
 *
 * <p>Shares nothing with {@link CronTrigger}, not even Spring's parser; it reads minutes, hours and days of the week
 * as numbers, lists, ranges and steps, which is all that the tests of daylight saving need.
 */
final class CronModel {

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet weekdays;

    CronModel(String expression) {
        String[] fields = expression.split(" ", -1);
        if (!fields[0].equals("0") || !fields[3].equals("*") || !fields[4].equals("*")) {
            throw new IllegalArgumentException("The model does not know " + expression);
        }
        this.minutes = field(fields[1], 0, 59);
        this.hours = field(fields[2], 0, 23);
        this.weekdays = field(fields[5], 1, 7);
    }

    private static BitSet field(String text, int first, int last) {
        BitSet values = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] rangeAndStep = part.split("/", -1);
            String[] range = rangeAndStep[0].equals("*")
                    ? new String[] {String.valueOf(first), String.valueOf(last)}
                    : rangeAndStep[0].split("-", -1);
            int from = Integer.parseInt(range[0]);
            int to = range.length == 2 ? Integer.parseInt(range[1]) : rangeAndStep.length == 2 ? last : from;
            int step = rangeAndStep.length == 2 ? Integer.parseInt(rangeAndStep[1]) : 1;
            for (int value = from; value <= to; value += step) {
                values.set(value);
            }
        }
        return values;
    }

    List<Instant> ticks(WallClock clock, DstGap gap, DstOverlap overlap) {
        boolean everyHour = hours.cardinality() == 24;
        List<Instant> ticks = new ArrayList<>();
        for (int minute = 0; minute < clock.minutes(); minute++) {
            boolean due = matches(clock.shown(minute))
                    && (everyHour || overlap == DstOverlap.TWICE || !clock.shownAgain(minute));
            boolean madeUp = gap == DstGap.RUN_AFTER && !everyHour && anyMatches(clock.leftOut(minute));
            if (due || madeUp) {
                ticks.add(clock.instant(minute));
            }
        }
        return ticks;
    }

    private boolean anyMatches(List<LocalDateTime> times) {
        return !times.isEmpty() && times.stream().anyMatch(this::matches);
    }

    private boolean matches(LocalDateTime time) {
        return minutes.get(time.getMinute())
                && hours.get(time.getHour())
                && weekdays.get(time.getDayOfWeek().getValue());
    }
}
