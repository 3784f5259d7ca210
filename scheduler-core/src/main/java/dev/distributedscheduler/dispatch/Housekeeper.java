package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent.RunsOrphaned;
import dev.distributedscheduler.event.SchedulerEvent.SchedulesRetired;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.store.DeadLetterStore;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.Enqueuing;
import dev.distributedscheduler.store.OperationLog;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.ScheduleControl;
import dev.distributedscheduler.store.ScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the leader looks after now and then, so that nothing is forgotten and nothing grows without bound. */
final class Housekeeper {

    private static final int ROWS_PER_BATCH = 5_000;
    private static final long ENDED_SCHEDULES_HOURS = 24;

    private final FencedTransactions transactions;
    private final DispatchSettings settings;
    private final Means means;
    private final DueTicks ticks;
    private final ScheduleStore schedules;
    private final ScheduleControl ended;
    private final Orphans orphans;
    private final HistoryKeeper history;
    private final ExpiredRemover expired;
    private final Every sweep;
    private final Every historyCare;

    Housekeeper(FencedTransactions transactions, DispatchSettings settings, Means means) {
        this.transactions = transactions;
        this.settings = settings;
        this.means = means;
        this.ticks = new DueTicks(means.database());
        this.schedules = new ScheduleStore(means.database());
        this.ended = new ScheduleControl(means.database());
        this.orphans = new Orphans(means.database());
        this.history = new HistoryKeeper(
                transactions,
                new RunHistory(means.database()),
                new OperationLog(means.database()),
                settings.historyRetention());
        this.expired = new ExpiredRemover(
                transactions,
                new DeadLetterStore(means.database()),
                new Enqueuing(means.database()),
                settings.deadLetterRetention(),
                new Every(Duration.ofMinutes(1), means.nanoTime()));
        this.sweep = new Every(Duration.ofMinutes(1), means.nanoTime());
        this.historyCare = new Every(Duration.ofHours(1), means.nanoTime());
    }

    /** Whether the duties are due that nothing else would notice. */
    boolean isSweepDue() {
        return sweep.isDue();
    }

    /** Does what is due; returns how many rows it changed. */
    int keep(Term term) {
        int changed = 0;
        if (sweep.isDue()) {
            changed += sweep(term);
            sweep.done();
        }
        changed += expired.remove(term);
        if (historyCare.isDue()) {
            historyCare.done(); // before, not after: a failure is tried again in an hour, not at once
            history.keep(term);
        }
        return changed;
    }

    private int sweep(Term term) {
        int revived = transactions.commit(term, now -> ticks.revive());
        Map<String, Integer> aside = transactions.commit(term, now -> orphans.setAside(ROWS_PER_BATCH));
        if (!aside.isEmpty()) {
            means.events().onEvent(new RunsOrphaned(aside));
        }
        List<String> retired = transactions.commit(term, now -> schedules.retireUndeclared(settings.retireAfter()));
        if (!retired.isEmpty()) {
            means.events().onEvent(new SchedulesRetired(retired));
        }
        return revived + transactions.commit(term, now -> ended.forgetEnded(ENDED_SCHEDULES_HOURS, ROWS_PER_BATCH));
    }
}
