package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.Fence.Scope;
import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.MissedTicks;
import dev.distributedscheduler.store.MissedTicks.Owing;
import dev.distributedscheduler.store.MissedTicks.Replay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes up for missed ticks, one after the other and in order: per schedule at most as fast as its ticks usually come (with
 * the default rate of 2, which counts the live ones too), and only while nothing else of it is live.
 */
final class CatchUp {

    private static final int SCHEDULES_PER_BATCH = 1_000;

    private final MissedTicks missed;
    private final DueTicks ticks;
    private final TriggerBeans beans;
    private final SchedulerListener events;
    private final double rate;

    CatchUp(Means means, double rate) {
        this.missed = new MissedTicks(means.database());
        this.ticks = new DueTicks(means.database());
        this.beans = means.beans();
        this.events = means.events();
        this.rate = rate;
    }

    /** Handles one batch; returns how many runs it made. */
    int replay(Fence fence) {
        Map<String, String> failed = new HashMap<>();
        int runs = fence.commit(scope -> replay(scope, failed));
        failed.forEach((schedule, reason) -> events.onEvent(new ScheduleFailed(schedule, reason)));
        return runs;
    }

    private int replay(Scope scope, Map<String, String> failed) {
        List<Replay> replays = new ArrayList<>();
        for (Owing owing : missed.lockOwing(beans.beans().keySet(), scope.partitions(), SCHEDULES_PER_BATCH)) {
            try {
                replays.add(replay(owing, owing.timing().read(beans)));
            } catch (RuntimeException unreadable) {
                String reason = String.valueOf(unreadable.getMessage());
                ticks.isolate(owing.id(), reason);
                failed.put(owing.key().toString(), reason);
            }
        }
        return replays.isEmpty() ? 0 : missed.replay(replays);
    }

    private Replay replay(Owing owing, Timing timing) {
        Instant next = timing.next(owing.tick());
        boolean inRange = next != null && next.isBefore(owing.until());
        return new Replay(owing, inRange ? next : null, pause(owing.tick(), next));
    }

    private Duration pause(Instant tick, @Nullable Instant next) {
        Duration usual = next == null ? Duration.ZERO : Duration.between(tick, next);
        return Duration.ofMillis((long) (usual.toMillis() / (rate - 1)));
    }
}
