package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The ticks of a schedule: those of its trigger, a constant time later, within bounds.
 *
 * @param shift how much later, to spread schedules that would all be due at once
 * @param from the earliest tick there is; null for no bound
 * @param until ticks are earlier than this; null for no bound
 */
public record Timing(
        Trigger trigger,
        Duration shift,
        @Nullable Instant from,
        @Nullable Instant until) {

    private static final Duration FINEST = Duration.ofMillis(1);

    public static Timing of(Trigger trigger) {
        return new Timing(trigger, Duration.ZERO, null, null);
    }

    public Timing {
        if (from != null && until != null && !from.isBefore(until)) {
            throw new IllegalArgumentException("A schedule cannot end at %s and start at %s".formatted(until, from));
        }
    }

    /** First tick of a schedule that becomes known at {@code now}; null when trigger and bounds leave none. */
    public @Nullable Instant first(Instant now, Duration initialDelay) {
        boolean startsLater = from != null && from.isAfter(now);
        Instant earliest = from != null && startsLater ? from : now;
        boolean bySomeClock = trigger instanceof CronTrigger || trigger instanceof BeanTrigger;
        if (bySomeClock) { // those yield what is later than they are told, and a tick at the very start is one
            earliest = earliest.minus(shift).minusNanos(startsLater ? 1 : 0);
        }
        Instant unshifted = trigger.first(earliest, initialDelay);
        if (unshifted == null) {
            return null;
        }
        Instant first = unshifted.plus(shift);
        return from != null && first.isBefore(from) ? null : bounded(first);
    }

    /** The first tick after {@code time}, which may be any instant; null when a run's end or nobody decides that. */
    public @Nullable Instant next(Instant time) {
        Instant after = from != null && time.isBefore(from) ? from.minusNanos(1) : time;
        Instant next = trigger.next(after.minus(shift));
        return next == null ? null : bounded(next.plus(shift));
    }

    /** The first tick that is not before {@code earliest}, given one that is. */
    @Nullable
    Instant firstFrom(Instant tick, Instant earliest) {
        Instant first = trigger.firstFrom(tick.minus(shift), earliest.minus(shift));
        return first == null ? null : bounded(first.plus(shift));
    }

    private @Nullable Instant bounded(Instant tick) {
        return isOverAt(tick) ? null : tick;
    }

    boolean isOverAt(Instant tick) {
        return until != null && !tick.isBefore(until);
    }

    /** The last tick before {@code end}, given one that is: found by halving, not by walking. */
    Instant lastBefore(Instant tick, Instant end) {
        Instant last = tick;
        Instant bound = end;
        while (Duration.between(last, bound).compareTo(FINEST) > 0) {
            Instant middle = last.plus(Duration.between(last, bound).dividedBy(2));
            Instant next = firstFrom(last, middle);
            if (next != null && next.isBefore(end)) {
                last = next;
            } else {
                bound = middle;
            }
        }
        return last;
    }
}
