package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.ScheduleStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * One round of what only a leader does, and how long nothing more will be due.
 *
 * <p>Ticks first; the occasional duties run between them, on the same thread and connection.
 */
public final class LeaderDuties {

    private static final Duration WHILE_NOT_LEADING = Duration.ofMinutes(1);
    private static final Duration WHEN_DUE_BUT_LOCKED = Duration.ofMillis(50);
    private static final Duration FENCE_PATIENCE = Duration.ofSeconds(5);
    private static final int RUNS_PER_PROMOTION = 5_000;

    private final LeaderElector elector;
    private final DispatchSettings settings;
    private final ScheduleStore schedules;
    private final RunQueue queue;
    private final DueTickEnqueuer ticks;
    private final LostRunRescuer rescuer;
    private final HistoryKeeper history;
    private final Every rescueEvery;
    private final Every historyEvery;

    /** @param database on a connection that nothing else uses */
    public LeaderDuties(
            LeaderElector elector,
            DispatchSettings settings,
            Database database,
            SchedulerListener events,
            LongSupplier nanoTime) {
        this.elector = elector;
        this.settings = settings;
        this.schedules = new ScheduleStore(database);
        this.queue = new RunQueue(database);
        FencedTransactions transactions = new FencedTransactions(database, FENCE_PATIENCE);
        this.ticks = new DueTickEnqueuer(transactions, schedules, settings.misfireGrace(), events);
        this.rescuer = new LostRunRescuer(transactions, new NodeStore(database), queue, events);
        this.history = new HistoryKeeper(transactions, new RunHistory(database), settings.historyRetention());
        this.rescueEvery = new Every(Duration.ofSeconds(2), nanoTime);
        this.historyEvery = new Every(Duration.ofHours(1), nanoTime);
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
            return Duration.ZERO;
        }
    }

    private Duration lead(Term term) {
        int moved = ticks.enqueue(term) + queue.promoteDue(RUNS_PER_PROMOTION);
        if (rescueEvery.isDue()) {
            rescuer.rescue(term);
            rescueEvery.done();
        }
        if (historyEvery.isDue()) {
            historyEvery.done(); // before, not after: a failure is tried again in an hour, not at once
            history.keep(term);
        }
        Duration next = untilNext();
        boolean dueButNotMoved = moved == 0 && next.isZero();
        return dueButNotMoved ? WHEN_DUE_BUT_LOCKED : next;
    }

    private Duration untilNext() {
        Duration longest = settings.pollEvery();
        Duration next = Stream.of(
                        schedules.untilNextTick(), queue.untilNextDelayed(), Optional.of(rescueEvery.remaining()))
                .flatMap(Optional::stream)
                .reduce(longest, (a, b) -> a.compareTo(b) <= 0 ? a : b);
        return next.isNegative() ? Duration.ZERO : next;
    }
}
