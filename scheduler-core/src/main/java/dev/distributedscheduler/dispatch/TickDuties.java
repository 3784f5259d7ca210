package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.store.Agenda.Look;
import dev.distributedscheduler.store.DueTicks;

/** What whoever has the right to dispatch does about ticks: live ones first, missed ones when no more live ones are due. */
final class TickDuties {

    private final DueTickEnqueuer enqueuer;
    private final CatchUp catchUp;

    TickDuties(DispatchSettings settings, Means means) {
        this.enqueuer = new DueTickEnqueuer(new DueTicks(means.database()), means.beans(), settings, means.events());
        this.catchUp = new CatchUp(means, settings.catchUpRate());
    }

    /** Handles one batch, if anything is due; returns how much it moved. */
    int dispatch(Look look, Fence fence) {
        int moved = Look.isDue(look.tick()) ? enqueuer.enqueue(fence) : 0;
        boolean moreTicksAreDue = moved == DueTickEnqueuer.SCHEDULES_PER_BATCH;
        if (Look.isDue(look.replay()) && !moreTicksAreDue) {
            moved += catchUp.replay(fence);
        }
        return moved;
    }
}
