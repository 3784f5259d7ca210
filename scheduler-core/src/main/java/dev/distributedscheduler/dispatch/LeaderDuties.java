package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Admission;
import dev.distributedscheduler.store.Agenda;
import dev.distributedscheduler.store.Agenda.Look;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import java.time.Duration;
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
    private static final int RUNS_PER_BATCH = 5_000;

    private final LeaderElector elector;
    private final DispatchSettings settings;
    private final TriggerBeans beans;
    private final Agenda agenda;
    private final RunQueue queue;
    private final Admission admission;
    private final Orphans orphans;
    private final FencedTransactions transactions;
    private final DueTickEnqueuer ticks;
    private final CatchUp catchUp;
    private final LostRunRescuer rescuer;
    private final Housekeeper housekeeper;

    /**
     * What the duties share.
     *
     * @param database on a connection that nothing else uses
     */
    public record Means(Database database, TriggerBeans beans, SchedulerListener events, LongSupplier nanoTime) {}

    public LeaderDuties(LeaderElector elector, DispatchSettings settings, Means means) {
        Database database = means.database();
        this.elector = elector;
        this.settings = settings;
        this.beans = means.beans();
        this.agenda = new Agenda(database);
        this.queue = new RunQueue(database);
        this.admission = new Admission(database);
        this.orphans = new Orphans(database);
        this.transactions = new FencedTransactions(database, elector.transactionPatience());
        this.ticks = new DueTickEnqueuer(transactions, new DueTicks(database), beans, settings, means.events());
        this.catchUp = new CatchUp(transactions, means, settings.catchUpRate());
        this.rescuer = new LostRunRescuer(
                transactions, new NodeStore(database), queue, new RunHistory(database), means.events());
        this.housekeeper = new Housekeeper(transactions, settings, means);
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
        Look look = agenda.look(beans.beans().keySet());
        int moved = Look.isDue(look.tick()) ? ticks.enqueue(term) : 0;
        boolean moreTicksAreDue = moved == DueTickEnqueuer.SCHEDULES_PER_BATCH;
        if (Look.isDue(look.replay()) && !moreTicksAreDue) { // live ticks first
            moved += catchUp.replay(term);
        }
        if (Look.isDue(look.delayedRun())) {
            moved += queue.promoteDue(RUNS_PER_BATCH);
        }
        if (look.blocked()) {
            moved += transactions.commit(term, now -> admission.admit());
        }
        if (look.orphaned()) {
            moved += transactions.commit(term, now -> orphans.bringBack(RUNS_PER_BATCH));
        }
        if (Look.isDue(look.expiry()) || housekeeper.isSweepDue()) {
            moved += rescuer.rescue(term);
        }
        moved += housekeeper.keep(term);
        if (moved > 0) {
            return Duration.ZERO;
        }
        Duration next = look.first(settings.pollEvery());
        return Look.isDue(next) ? WHEN_DUE_BUT_LOCKED : next;
    }
}
