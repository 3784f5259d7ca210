package dev.distributedscheduler.store;

import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.store.ScheduleStore.Advance;
import dev.distributedscheduler.store.ScheduleStore.DueSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Makes runs of what is due, as a leader does, but without a fence. */
final class TestTicks {

    private static final Duration GRACE = Duration.ofHours(1);
    private static final int TICKS_PER_SCHEDULE = 100;

    private TestTicks() {}

    static int enqueueDue(TestTables tables) {
        ScheduleStore schedules = new ScheduleStore(tables.database());
        return tables.database().inTransaction(() -> {
            Instant now = tables.now();
            List<Advance> advances = schedules.lockDue(1_000).stream()
                    .map(due -> advance(due, now))
                    .toList();
            return schedules.advance(advances).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        });
    }

    static Advance advance(DueSchedule due, Instant now) {
        return new Advance(due, TickPlan.of(due.trigger(), due.nextTick(), now, GRACE, TICKS_PER_SCHEDULE));
    }
}
