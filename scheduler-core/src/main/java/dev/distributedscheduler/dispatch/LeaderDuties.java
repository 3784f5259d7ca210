package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Admission;
import dev.distributedscheduler.store.Agenda;
import dev.distributedscheduler.store.Agenda.Look;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.PartitionStore;
import dev.distributedscheduler.store.Promotion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One round of what only a leader does, and how long nothing more will be due.
 *
 * <p>Ticks first; the other duties run between them, on the same thread and connection.
 */
public final class LeaderDuties {

    private static final Duration WHILE_NOT_LEADING = Duration.ofMinutes(1);
    private static final Duration WHEN_DUE_BUT_LOCKED = Duration.ofMillis(50);
    private static final Duration BETWEEN_BALANCES = Duration.ofSeconds(1);
    private static final int RUNS_PER_BATCH = 5_000;

    private final LeaderElector elector;
    private final DispatchSettings settings;
    private final TriggerBeans beans;
    private final Agenda agenda;
    private final Promotion promotion;
    private final Admission admission;
    private final Orphans orphans;
    private final FencedTransactions transactions;
    private final TickDuties ticks;
    private final PartitionBalancer balancer;
    private final Every balance;
    private @Nullable Term alone;
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
        this.promotion = new Promotion(database);
        this.admission = new Admission(database);
        this.orphans = new Orphans(database);
        this.transactions = new FencedTransactions(database, elector.transactionPatience());
        this.ticks = new TickDuties(settings, means);
        this.balancer = new PartitionBalancer(transactions, new PartitionStore(database), means.events());
        this.balance = new Every(BETWEEN_BALANCES, means.nanoTime());
        this.rescuer = new LostRunRescuer(transactions, means);
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
        boolean single = settings.mode() == Mode.SINGLE;
        Look look = agenda.look(beans.beans().keySet(), single ? null : List.of());
        int moved = single ? dispatchAlone(term, look) : balance(term);
        if (Look.isDue(look.delayedRun())) {
            moved += promotion.promoteDue(RUNS_PER_BATCH);
        }
        if (look.blocked()) {
            moved += transactions.commit(term, now -> admission.admit());
        }
        if (look.orphaned()) {
            moved += transactions.commit(term, now -> orphans.bringBack(RUNS_PER_BATCH));
        }
        if (Look.isDue(look.expiry()) || rescuer.isDue() || housekeeper.isSweepDue()) {
            moved += rescuer.rescue(term);
        }
        moved += housekeeper.keep(term);
        if (moved > 0) {
            return Duration.ZERO;
        }
        Duration next = look.first(rescuer.next(single ? settings.pollEvery() : BETWEEN_BALANCES));
        return Look.isDue(next) ? WHEN_DUE_BUT_LOCKED : next;
    }

    /** Once per term the leader makes sure that nobody else dispatches: an earlier leader may have given partitions away. */
    private int dispatchAlone(Term term, Look look) {
        if (!term.equals(alone)) {
            if (!balancer.takeAll(term)) {
                return 0;
            }
            alone = term;
        }
        return ticks.dispatch(look, transactions.alone(term));
    }

    private int balance(Term term) {
        if (!balance.isDue()) {
            return 0;
        }
        balance.done();
        return balancer.balance(term);
    }
}
