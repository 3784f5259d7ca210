package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a schedule that is due: which ticks to enqueue, in order, and where it stands afterwards.
 *
 * <p>A pure function of the trigger and database time. A schedule that fell behind (no leader, a database outage)
 * replays the ticks within the grace; older ones are skipped in one step, however many they are.
 *
 * @param skippedFrom the first tick skipped for being older than the grace; null when none was
 * @param ticks ticks to enqueue now, oldest first
 * @param next the tick at which the schedule is due again; null when a run's end or nobody decides that
 */
public record TickPlan(
        @Nullable Instant skippedFrom,
        List<Instant> ticks,
        @Nullable Instant next) {

    /**
     * @param due the tick at which the schedule stands, not after {@code now}
     * @param mostTicks bound on the ticks of one plan; the rest stay due
     */
    public static TickPlan of(Trigger trigger, Instant due, Instant now, Duration grace, int mostTicks) {
        Instant tick = due;
        Instant skippedFrom = null;
        Instant oldest = now.minus(grace);
        if (due.isBefore(oldest) && !(trigger instanceof FixedDelayTrigger)) { // its only tick: late beats never again
            skippedFrom = due;
            tick = firstFrom(trigger, due, oldest);
        }
        List<Instant> ticks = new ArrayList<>();
        while (tick != null && !tick.isAfter(now) && ticks.size() < mostTicks) {
            ticks.add(tick);
            tick = trigger.next(tick);
        }
        return new TickPlan(skippedFrom, List.copyOf(ticks), tick);
    }

    private static @Nullable Instant firstFrom(Trigger trigger, Instant due, Instant oldest) {
        if (trigger instanceof FixedRateTrigger rate) {
            long behind = Duration.between(due, oldest).dividedBy(rate.period());
            return due.plus(rate.period().multipliedBy(behind + 1));
        }
        return trigger.next(oldest);
    }

    /** The last tick that this plan disposes of; null when it moves nothing. */
    public @Nullable Instant lastTick() {
        return ticks.isEmpty() ? skippedFrom : ticks.get(ticks.size() - 1);
    }
}
