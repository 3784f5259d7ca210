package dev.distributedscheduler.store;

import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import dev.distributedscheduler.store.DueTicks.DueSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Makes runs of what is due, as a leader does, but without a fence. */
final class TestTicks {

    static final Duration GRACE = Duration.ofHours(1);
    static final Duration AFTER = Duration.ofMinutes(1);
    private static final int TICKS_PER_SCHEDULE = 100;

    private TestTicks() {}

    /** The number of new runs. */
    static int enqueueDue(TestTables tables) {
        return sum(dispatch(tables.database()));
    }

    static Dispatched dispatch(Database database) {
        DueTicks ticks = new DueTicks(database);
        return database.inTransaction(() -> {
            Instant now = now(database);
            List<Advance> advances = ticks.lockDue(Set.of(), null, 1_000).stream()
                    .map(due -> advance(due, now))
                    .toList();
            return ticks.advance(advances);
        });
    }

    static Instant now(Database database) {
        return database.sql("select now()")
                .query((row, number) -> Columns.instant(row, "now"))
                .single();
    }

    static int sum(Dispatched dispatched) {
        return dispatched.runsByQueue().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** With all live ticks that a leader would enqueue. */
    static Advance advance(DueSchedule due, Instant now) {
        return advance(due, now, AFTER);
    }

    /** @param after how late a tick may be without counting as missed */
    static Advance advance(DueSchedule due, Instant now, Duration after) {
        return new Advance(
                due,
                TickPlan.of(
                        due.timing().read(TriggerBeans.NONE),
                        due.nextTick(),
                        now,
                        due.rules(GRACE, after),
                        TICKS_PER_SCHEDULE));
    }
}
