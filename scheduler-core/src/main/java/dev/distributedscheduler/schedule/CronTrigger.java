package dev.distributedscheduler.schedule;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Ticks of Spring's six-field cron syntax in a time zone. Daily jobs run exactly once a day in every zone,
 * unless other policies than the defaults, {@link DstGap#RUN_AFTER} and {@link DstOverlap#ONCE}, are chosen.
 *
 * <p>The expression is evaluated on the local calendar, which has neither gaps nor overlaps, and the result is then
 * placed on the time line by the rules of the zone:
 *
 * <pre>
 *  02:00 becomes 03:00   … 01:30 … 01:59 ┐ 03:00 … 03:30 …            02:30 ticks at the ┐
 *  03:00 becomes 02:00   … 02:30 … 02:59 ┐ 02:00 … 02:30 … 03:00 …    02:30 ticks before the ┐, not after it
 * </pre>
 *
 * <p>An expression for every hour of the day ({@code *}, {@code 0-23}, {@code *}{@code /1}) names no time of day:
 * it ticks in both passes of an overlap, and makes up for nothing after a gap, whatever the policies say. All other
 * expressions do name one, so {@code 0 0 *}{@code /2 * * *} ticks once in an overlap.
 *
 * @param gap ticks whose local time does not exist
 * @param overlap ticks whose local time comes twice
 */
public record CronTrigger(CronExpression cron, ZoneId zoneId, DstGap gap, DstOverlap overlap) implements Trigger {

    private static final CronExpression HOURLY = CronExpression.parse("0 0 * * * *");

    /** Calendar and rules repeat after 400 years: what was skipped by so many gaps in a row never ticks. */
    private static final int MOST_GAPS = 400;

    public static CronTrigger of(String expression, @Nullable String zone) {
        return of(expression, zone, DstGap.RUN_AFTER, DstOverlap.ONCE);
    }

    public static CronTrigger of(String expression, @Nullable String zone, DstGap gap, DstOverlap overlap) {
        if (zone == null) {
            throw new IllegalArgumentException("A cron trigger needs a time zone");
        }
        return new CronTrigger(CronExpression.parse(expression), ZoneId.of(zone), gap, overlap);
    }

    @Override
    public Kind kind() {
        return Kind.CRON;
    }

    @Override
    public String expression() {
        return cron.toString();
    }

    @Override
    public String zone() {
        return zoneId.getId();
    }

    @Override
    public Instant first(Instant now, Duration initialDelay) {
        Instant first = next(now.plus(initialDelay));
        if (first == null) {
            throw new IllegalArgumentException("The cron expression '%s' never fires".formatted(cron));
        }
        return first;
    }

    /** The first tick after {@code tick}, which may be any instant; null when there is none. */
    @Override
    public @Nullable Instant next(Instant tick) {
        LocalDateTime local = LocalDateTime.ofInstant(tick, zoneId);
        ZoneOffsetTransition putBack = zoneId.getRules().getTransition(local); // no gap: a clock has shown this time
        return putBack == null ? place(cron.next(local)) : nextInOverlap(tick, local, putBack);
    }

    /** What a preview should say about {@code tick}, a tick of this trigger. */
    public Optional<DstNote> note(Instant tick) {
        LocalDateTime local = LocalDateTime.ofInstant(tick, zoneId);
        ZoneOffsetTransition putBack = zoneId.getRules().getTransition(local);
        if (putBack != null) {
            return Optional.of(tick.isBefore(putBack.getInstant()) ? DstNote.FIRST_OF_TWO : DstNote.SECOND_OF_TWO);
        }
        return local.equals(nextOrSame(local)) ? Optional.empty() : Optional.of(DstNote.MOVED_OUT_OF_GAP);
    }

    private @Nullable Instant nextInOverlap(Instant tick, LocalDateTime local, ZoneOffsetTransition putBack) {
        boolean firstPass = tick.isBefore(putBack.getInstant());
        boolean twice = overlap == DstOverlap.TWICE || everyHour();
        LocalDateTime end = putBack.getDateTimeBefore();
        if (firstPass || twice) {
            LocalDateTime next = cron.next(local);
            if (next != null && next.isBefore(end)) {
                return next.toInstant(firstPass ? putBack.getOffsetBefore() : putBack.getOffsetAfter());
            }
        }
        if (firstPass && twice) {
            LocalDateTime next = nextOrSame(putBack.getDateTimeAfter());
            if (next != null && next.isBefore(end)) {
                return next.toInstant(putBack.getOffsetAfter());
            }
        }
        return place(nextOrSame(end));
    }

    /** The first instant of a local tick, or that of the next one which has any. */
    private @Nullable Instant place(@Nullable LocalDateTime local) {
        LocalDateTime next = local;
        for (int gaps = 0; next != null && gaps < MOST_GAPS; gaps++) {
            ZoneOffsetTransition transition = zoneId.getRules().getTransition(next);
            if (transition == null || transition.isOverlap()) {
                return next.atZone(zoneId).toInstant(); // the earlier one of two
            }
            if (gap == DstGap.RUN_AFTER && !everyHour()) {
                return transition.getInstant();
            }
            next = nextOrSame(transition.getDateTimeAfter());
        }
        return null;
    }

    private @Nullable LocalDateTime nextOrSame(LocalDateTime local) {
        return cron.next(local.minusNanos(1));
    }

    private boolean everyHour() {
        String hours = StringUtils.tokenizeToStringArray(cron.toString(), " ")[2];
        return CronExpression.parse("0 0 " + hours + " * * *").equals(HOURLY);
    }
}
