package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.Fence.Scope;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.event.SchedulerEvent.TicksSkipped;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.schedule.MisfireRules;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import dev.distributedscheduler.store.DueTicks.DueSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns the ticks that are due into runs: one fenced transaction per batch of schedules. */
final class DueTickEnqueuer {

    static final int SCHEDULES_PER_BATCH = 1_000;
    private static final int TICKS_PER_SCHEDULE = 100;

    private final DueTicks ticks;
    private final TriggerBeans beans;
    private final DispatchSettings settings;
    private final SchedulerListener events;

    DueTickEnqueuer(DueTicks ticks, TriggerBeans beans, DispatchSettings settings, SchedulerListener events) {
        this.ticks = ticks;
        this.beans = beans;
        this.settings = settings;
        this.events = events;
    }

    /** Handles one batch; returns how many schedules it moved. */
    int enqueue(Fence fence) {
        Batch batch = fence.commit(this::enqueueIn);
        if (!batch.dispatched().runsByQueue().isEmpty()) {
            events.onEvent(new TicksEnqueued(batch.term(), batch.dispatched().runsByQueue(), batch.lateness()));
        }
        if (batch.dispatched().skipped() > 0) {
            events.onEvent(new TicksSkipped(batch.dispatched().skipped()));
        }
        batch.failed().forEach((schedule, reason) -> events.onEvent(new ScheduleFailed(schedule, reason)));
        return batch.schedules();
    }

    private Batch enqueueIn(Scope scope) {
        List<DueSchedule> due = ticks.lockDue(beans.beans().keySet(), scope.partitions(), SCHEDULES_PER_BATCH);
        if (due.isEmpty()) {
            return new Batch(scope.term(), 0, Dispatched.NOTHING, List.of(), Map.of());
        }
        List<Advance> advances = new ArrayList<>(due.size());
        Map<String, String> failed = new HashMap<>();
        for (DueSchedule schedule : due) {
            try {
                MisfireRules rules = schedule.rules(settings.misfireGrace(), settings.misfireAfter());
                advances.add(new Advance(
                        schedule,
                        TickPlan.of(
                                schedule.timing().read(beans),
                                schedule.nextTick(),
                                scope.now(),
                                rules,
                                TICKS_PER_SCHEDULE)));
            } catch (RuntimeException unreadable) {
                String reason = String.valueOf(unreadable.getMessage());
                ticks.isolate(schedule.id(), reason);
                failed.put(schedule.key().toString(), reason);
            }
        }
        return new Batch(
                scope.term(), due.size(), ticks.advance(advances), Advance.lateness(advances, scope.now()), failed);
    }

    private record Batch(
            long term, int schedules, Dispatched dispatched, List<Duration> lateness, Map<String, String> failed) {}
}
