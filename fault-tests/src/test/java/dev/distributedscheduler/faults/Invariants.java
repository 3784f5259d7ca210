package dev.distributedscheduler.faults;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.faults.History.Execution;
import dev.distributedscheduler.faults.app.LedgerEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold over a period, whatever was done to the replicas; the ledger and the history are each other's witness. */
final class Invariants {

    private static final Set<String> REASONS_TO_REPEAT = Set.of("LOST", "INTERRUPTED");

    private final Period period;
    private final Cluster cluster;
    private final Ledger ledger;
    private final Set<Begun> begun;
    private final List<Execution> history;
    private final Set<Tick> timetable;

    /** Waits for the runs of the period and looks at them. */
    static Invariants over(Period period, Cluster cluster) {
        cluster.awaitEndOf(period);
        return new Invariants(period, cluster);
    }

    private Invariants(Period period, Cluster cluster) {
        this.period = period;
        this.cluster = cluster;
        this.timetable = cluster.timetable().ticks(period);
        this.history = cluster.history().within(period);
        Ledger all = cluster.ledger();
        this.ledger = all.within(period);
        this.begun = all.begins().stream()
                .map(begin -> new Begun(begin.run(), begin.attempt()))
                .collect(toSet());
    }

    private record Begun(long run, int attempt) {}

    Ledger ledger() {
        return ledger;
    }

    /**
     * All of them; a run is repeated only if the history says how its earlier attempt came to nothing, or if that never
     * began: the reply to its claim was lost, and it was given back.
     */
    Invariants hold() {
        holdWhoeverDispatches();
        assertThat(cluster.witness().usurpationsSince(period.start()))
                .as("runs made by others than the leader")
                .isEmpty();
        return this;
    }

    /** All of them, but for those about the leader: others dispatch too. */
    Invariants holdWhoeverDispatches() {
        noTickIsLostOrDoubled();
        repetitionsHaveTheirReason();
        ledgerAndHistoryAgree();
        return this;
    }

    private void noTickIsLostOrDoubled() {
        assertThat(timetable).isNotEmpty();
        assertThat(without(timetable, ledger.ticks())).as("lost ticks").isEmpty();
        assertThat(without(ledger.ticks(), timetable)).as("ticks out of time").isEmpty();
        assertThat(ledger.duplicates()).as("doubled ticks").isEmpty();
    }

    private void repetitionsHaveTheirReason() {
        assertThat(ledger.repetitions())
                .as("repeated runs")
                .filteredOn(repeated -> begun.contains(new Begun(repeated.run(), repeated.attempt() - 1)))
                .allSatisfy(repeated -> assertThat(history)
                        .anyMatch(earlier -> earlier.run() == repeated.run()
                                && earlier.attempt() == repeated.attempt() - 1
                                && REASONS_TO_REPEAT.contains(earlier.outcome())));
    }

    private void ledgerAndHistoryAgree() {
        List<Execution> completed = history.stream()
                .filter(execution -> execution.outcome().equals("COMPLETED"))
                .toList();
        Set<Tick> completedTicks = new HashSet<>();
        assertThat(completed)
                .as("each tick is completed once, by an execution that happened")
                .allMatch(execution -> completedTicks.add(new Tick(execution.job(), execution.tick())))
                .allMatch(execution -> ledger.entries().stream().anyMatch(entry -> same(entry, execution)));
        assertThat(completedTicks).isEqualTo(timetable);
        assertThat(ledger.entries())
                .as("each execution is in the history")
                .allMatch(entry -> history.stream().anyMatch(execution -> same(entry, execution)));
    }

    private static boolean same(LedgerEntry entry, Execution execution) {
        return execution.isOf(entry.run(), entry.attempt(), entry.token());
    }

    private static Set<Tick> without(Set<Tick> all, Set<Tick> some) {
        Set<Tick> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
