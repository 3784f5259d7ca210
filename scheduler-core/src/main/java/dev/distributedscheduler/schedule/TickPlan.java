package dev.distributedscheduler.schedule;

import dev.distributedscheduler.Misfire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a schedule that is due: which ticks to enqueue, in order, and where it stands afterwards.
 *
 * <pre>
 *      older than the grace        missed              live
 *   ──┬────────────────────┬──────────────────┬──────────────────┬──────▶
 *    due              now − grace        now − after            now    next
 *      skipped             made up for, or    enqueued
 *                          skipped
 * </pre>
 *
 * <p>A pure function of the timing and database time. However many ticks were missed, it costs a few calls: only live ones
 * are enumerated.
 *
 * @param skipped ticks that will never run
 * @param missed ticks to be made up for later; null when there are none
 * @param ticks ticks to enqueue now, oldest first
 * @param next the tick at which the schedule is due again; null when a run's end or nobody decides that
 */
public record TickPlan(
        List<Span> skipped,
        @Nullable Span missed,
        List<Instant> ticks,
        @Nullable Instant next) {

    /** All ticks from one on, which it begins with, to before a time. */
    public record Span(Instant from, Instant until) {}

    /**
     * @param due the tick at which the schedule stands, not after {@code now}
     * @param mostTicks bound on the ticks of one plan; the rest stay due
     */
    public static TickPlan of(Timing timing, Instant due, Instant now, MisfireRules rules, int mostTicks) {
        if (timing.isOverAt(due)) { // set by the end of a run, which does not look at bounds
            return new TickPlan(List.of(), null, List.of(), null);
        }
        Instant live = now.minus(rules.after());
        if (!due.isBefore(live)) {
            return new TickPlan(List.of(), null, List.of(), null).withLive(timing, due, now, mostTicks);
        }
        if (timing.trigger().isSingle()) {
            return single(timing, due, now, rules.policy());
        }
        Instant firstLive = timing.firstFrom(due, live);
        boolean laterOneIsLive = firstLive != null && !firstLive.isAfter(now);
        return missed(timing, due, now, rules, laterOneIsLive).withLive(timing, firstLive, now, mostTicks);
    }

    private static TickPlan single(Timing timing, Instant due, Instant now, Misfire policy) {
        if (policy != Misfire.SKIP) {
            return new TickPlan(List.of(), null, List.of(due), null);
        }
        // no run's end will set the next tick
        Instant next = timing.trigger() instanceof FixedDelayTrigger delayed ? now.plus(delayed.delay()) : null;
        return new TickPlan(List.of(new Span(due, due.plusNanos(1_000))), null, List.of(), next);
    }

    private static TickPlan missed(
            Timing timing, Instant due, Instant now, MisfireRules rules, boolean laterOneIsLive) {
        Instant live = now.minus(rules.after());
        Instant oldest = now.minus(rules.grace());
        List<Span> skipped = new ArrayList<>();
        Instant owed = due;
        if (due.isBefore(oldest)) {
            owed = timing.firstFrom(due, oldest);
            skipped.add(new Span(due, oldest));
        }
        if (owed == null || !owed.isBefore(live)) {
            return new TickPlan(skipped, null, List.of(), null);
        }
        if (rules.policy() == Misfire.REPLAY_ALL) {
            return new TickPlan(skipped, new Span(owed, live), List.of(), null);
        }
        if (rules.policy() == Misfire.SKIP || laterOneIsLive) {
            skipped.add(new Span(owed, live));
            return new TickPlan(skipped, null, List.of(), null);
        }
        Instant latest = timing.lastBefore(owed, live);
        if (owed.isBefore(latest)) {
            skipped.add(new Span(owed, latest));
        }
        return new TickPlan(skipped, new Span(latest, live), List.of(), null);
    }

    private TickPlan withLive(Timing timing, @Nullable Instant first, Instant now, int mostTicks) {
        List<Instant> live = new ArrayList<>();
        Instant tick = first;
        while (tick != null && !tick.isAfter(now) && live.size() < mostTicks) {
            live.add(tick);
            tick = timing.next(tick);
        }
        return new TickPlan(List.copyOf(skipped), missed, List.copyOf(live), tick);
    }
}
