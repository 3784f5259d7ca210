package dev.distributedscheduler.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Walks over the ticks of a trigger, and fails instead of walking for ever when one does not lead on. */
final class CronTicks {

    private CronTicks() {}

    /** The ticks from {@code from}, included, to {@code to}, excluded. */
    static List<Instant> between(CronTrigger trigger, Instant from, Instant to) {
        List<Instant> ticks = new ArrayList<>();
        Instant last = from.minusNanos(1);
        Instant tick = trigger.next(last);
        while (tick != null && tick.isBefore(to)) {
            if (!tick.isAfter(last)) {
                throw new AssertionError("%s: %s does not come after %s".formatted(trigger, tick, last));
            }
            ticks.add(tick);
            last = tick;
            tick = trigger.next(last);
        }
        return ticks;
    }
}
