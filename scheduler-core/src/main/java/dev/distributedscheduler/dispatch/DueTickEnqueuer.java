package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.event.SchedulerEvent.TicksSkipped;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.MisfireRules;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import dev.distributedscheduler.store.DueTicks.DueSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns the ticks that are due into runs: one fenced transaction per batch of schedules. */
final class DueTickEnqueuer {

    static final int SCHEDULES_PER_BATCH = 1_000;
    private static final int TICKS_PER_SCHEDULE = 100;

    private final FencedTransactions transactions;
    private final DueTicks ticks;
    private final TriggerBeans beans;
    private final DispatchSettings settings;
    private final SchedulerListener events;

    DueTickEnqueuer(
            FencedTransactions transactions,
            DueTicks ticks,
            TriggerBeans beans,
            DispatchSettings settings,
            SchedulerListener events) {
        this.transactions = transactions;
        this.ticks = ticks;
        this.beans = beans;
        this.settings = settings;
        this.events = events;
    }

    /** Handles one batch; returns how many schedules it moved. */
    int enqueue(Term term) {
        Batch batch = transactions.commit(term, this::enqueueAt);
        if (!batch.dispatched().runsByQueue().isEmpty()) {
            events.onEvent(new TicksEnqueued(term.number(), batch.dispatched().runsByQueue()));
        }
        if (batch.dispatched().skipped() > 0) {
            events.onEvent(new TicksSkipped(batch.dispatched().skipped()));
        }
        batch.failed().forEach((schedule, reason) -> events.onEvent(new ScheduleFailed(schedule, reason)));
        return batch.schedules();
    }

    private Batch enqueueAt(Instant now) {
        List<DueSchedule> due = ticks.lockDue(beans.beans().keySet(), SCHEDULES_PER_BATCH);
        if (due.isEmpty()) {
            return new Batch(0, Dispatched.NOTHING, Map.of());
        }
        List<Advance> advances = new ArrayList<>(due.size());
        Map<String, String> failed = new HashMap<>();
        for (DueSchedule schedule : due) {
            try {
                MisfireRules rules = schedule.rules(settings.misfireGrace(), settings.misfireAfter());
                advances.add(new Advance(
                        schedule,
                        TickPlan.of(
                                schedule.timing().read(beans), schedule.nextTick(), now, rules, TICKS_PER_SCHEDULE)));
            } catch (RuntimeException unreadable) {
                String reason = String.valueOf(unreadable.getMessage());
                ticks.isolate(schedule.id(), reason);
                failed.put(schedule.key().toString(), reason);
            }
        }
        return new Batch(due.size(), ticks.advance(advances), failed);
    }

    private record Batch(int schedules, Dispatched dispatched, Map<String, String> failed) {}
}
