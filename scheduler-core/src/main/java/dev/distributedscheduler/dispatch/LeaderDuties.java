package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerEvent.RunsOrphaned;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.store.Admission;
import dev.distributedscheduler.store.Agenda;
import dev.distributedscheduler.store.Agenda.Look;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DeadLetterStore;
import dev.distributedscheduler.store.Enqueuing;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.ScheduleStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * One round of what only a leader does, and how long nothing more will be due.
 *
 * <p>Ticks first; the other duties run between them, on the same thread and connection.
 */
public final class LeaderDuties {

    private static final Duration WHILE_NOT_LEADING = Duration.ofMinutes(1);
    private static final Duration WHEN_DUE_BUT_LOCKED = Duration.ofMillis(50);
    private static final int RUNS_PER_PROMOTION = 5_000;

    private final LeaderElector elector;
    private final DispatchSettings settings;
    private final Agenda agenda;
    private final RunQueue queue;
    private final Admission admission;
    private final Orphans orphans;
    private final ScheduleStore schedules;
    private final FencedTransactions transactions;
    private final DueTickEnqueuer ticks;
    private final LostRunRescuer rescuer;
    private final HistoryKeeper history;
    private final ExpiredRemover expired;
    private final Every sweep;
    private final Every historyCare;
    private final SchedulerListener events;

    /** @param database on a connection that nothing else uses */
    public LeaderDuties(
            LeaderElector elector,
            DispatchSettings settings,
            Database database,
            SchedulerListener events,
            LongSupplier nanoTime) {
        this.elector = elector;
        this.settings = settings;
        this.events = events;
        this.agenda = new Agenda(database);
        this.queue = new RunQueue(database);
        this.admission = new Admission(database);
        this.orphans = new Orphans(database);
        this.schedules = new ScheduleStore(database);
        this.transactions = new FencedTransactions(database, elector.transactionPatience());
        RunHistory executions = new RunHistory(database);
        this.ticks = new DueTickEnqueuer(transactions, schedules, settings.misfireGrace(), events);
        this.rescuer = new LostRunRescuer(transactions, new NodeStore(database), queue, executions, events);
        this.history = new HistoryKeeper(transactions, executions, settings.historyRetention());
        this.expired = new ExpiredRemover(
                transactions,
                new DeadLetterStore(database),
                new Enqueuing(database),
                settings.deadLetterRetention(),
                new Every(Duration.ofMinutes(1), nanoTime));
        this.sweep = new Every(Duration.ofMinutes(1), nanoTime);
        this.historyCare = new Every(Duration.ofHours(1), nanoTime);
    }

    /** One round; returns how long to sleep unless woken. */
    public Duration round() {
        Optional<Term> term = elector.current();
        if (term.isEmpty()) {
            return WHILE_NOT_LEADING;
        }
        try {
            return lead(term.get());
        } catch (TermOverException over) {
            elector.fencedOff(term.get());
            return WHILE_NOT_LEADING;
        }
    }

    private Duration lead(Term term) {
        Look look = agenda.look();
        int moved = 0;
        if (Look.isDue(look.tick())) {
            moved += ticks.enqueue(term);
        }
        if (Look.isDue(look.delayedRun())) {
            moved += queue.promoteDue(RUNS_PER_PROMOTION);
        }
        if (look.blocked()) {
            moved += transactions.commit(term, now -> admission.admit());
        }
        if (look.orphaned()) {
            moved += transactions.commit(term, now -> orphans.bringBack(RUNS_PER_PROMOTION));
        }
        if (Look.isDue(look.expiry()) || sweep.isDue()) {
            moved += rescuer.rescue(term);
        }
        if (sweep.isDue()) {
            moved += transactions.commit(term, now -> schedules.revive());
            setOrphansAside(term);
            sweep.done();
        }
        moved += expired.remove(term);
        if (historyCare.isDue()) {
            historyCare.done(); // before, not after: a failure is tried again in an hour, not at once
            history.keep(term);
        }
        if (moved > 0) {
            return Duration.ZERO;
        }
        Duration next = look.first(settings.pollEvery());
        return Look.isDue(next) ? WHEN_DUE_BUT_LOCKED : next;
    }

    private void setOrphansAside(Term term) {
        Map<String, Integer> runsByJob = transactions.commit(term, now -> orphans.setAside(RUNS_PER_PROMOTION));
        if (!runsByJob.isEmpty()) {
            events.onEvent(new RunsOrphaned(runsByJob));
        }
    }
}
