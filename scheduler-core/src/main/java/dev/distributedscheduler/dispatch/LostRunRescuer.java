package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Expels nodes whose lease has run out, and takes back the runs of nodes that are no more. */
final class LostRunRescuer {

    private static final int RUNS_PER_BATCH = 1_000;

    private final FencedTransactions transactions;
    private final NodeStore nodes;
    private final RunQueue queue;
    private final RunHistory history;
    private final SchedulerListener events;

    LostRunRescuer(
            FencedTransactions transactions,
            NodeStore nodes,
            RunQueue queue,
            RunHistory history,
            SchedulerListener events) {
        this.transactions = transactions;
        this.nodes = nodes;
        this.queue = queue;
        this.history = history;
        this.events = events;
    }

    /** Handles one batch; returns how many nodes and runs it dealt with. */
    int rescue(Term term) {
        Rescue rescue = transactions.commit(term, now -> takeBack());
        if (rescue.size() > 0) {
            events.onEvent(new RunsRescued(rescue.expelled(), rescue.attempts().size()));
        }
        for (FinishedAttempt attempt : rescue.attempts()) {
            RunState state = rescue.states().get(attempt.run().token());
            if (state != null) {
                events.onEvent(SchedulerEvent.unsuccessful(attempt, state));
            }
        }
        return rescue.size();
    }

    private Rescue takeBack() {
        List<UUID> expelled = nodes.expelExpired();
        List<FinishedAttempt> attempts = queue.lockRunsOfLostNodes(RUNS_PER_BATCH).stream()
                .map(FinishedAttempt::lost)
                .toList();
        return new Rescue(expelled, attempts, attempts.isEmpty() ? Map.of() : history.fail(attempts));
    }

    private record Rescue(List<UUID> expelled, List<FinishedAttempt> attempts, Map<Long, RunState> states) {

        int size() {
            return expelled.size() + attempts.size();
        }
    }
}
