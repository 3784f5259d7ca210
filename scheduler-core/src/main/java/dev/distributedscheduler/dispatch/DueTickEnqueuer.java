package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.ScheduleStore.Advance;
import dev.distributedscheduler.store.ScheduleStore.DueSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns the ticks that are due into runs: one fenced transaction per batch of schedules. */
final class DueTickEnqueuer {

    private static final int SCHEDULES_PER_BATCH = 1_000;
    private static final int TICKS_PER_SCHEDULE = 100;

    private final FencedTransactions transactions;
    private final ScheduleStore schedules;
    private final Duration grace;
    private final SchedulerListener events;

    DueTickEnqueuer(
            FencedTransactions transactions, ScheduleStore schedules, Duration grace, SchedulerListener events) {
        this.transactions = transactions;
        this.schedules = schedules;
        this.grace = grace;
        this.events = events;
    }

    /** Handles one batch; returns how many schedules it moved. */
    int enqueue(Term term) {
        Batch batch = transactions.commit(term, this::enqueueAt);
        if (!batch.runsByQueue().isEmpty()) {
            events.onEvent(new TicksEnqueued(term.number(), batch.runsByQueue()));
        }
        batch.failed().forEach((schedule, reason) -> events.onEvent(new ScheduleFailed(schedule, reason)));
        return batch.schedules();
    }

    private Batch enqueueAt(Instant now) {
        List<DueSchedule> due = schedules.lockDue(SCHEDULES_PER_BATCH);
        if (due.isEmpty()) {
            return new Batch(0, Map.of(), Map.of());
        }
        List<Advance> advances = new ArrayList<>(due.size());
        Map<String, String> failed = new HashMap<>();
        for (DueSchedule schedule : due) {
            try {
                advances.add(new Advance(
                        schedule,
                        TickPlan.of(schedule.trigger(), schedule.nextTick(), now, grace, TICKS_PER_SCHEDULE)));
            } catch (RuntimeException unreadable) {
                String reason = String.valueOf(unreadable.getMessage());
                schedules.isolate(schedule.id(), reason);
                failed.put(schedule.name(), reason);
            }
        }
        return new Batch(due.size(), schedules.advance(advances), failed);
    }

    private record Batch(int schedules, Map<String, Integer> runsByQueue, Map<String, String> failed) {}
}
