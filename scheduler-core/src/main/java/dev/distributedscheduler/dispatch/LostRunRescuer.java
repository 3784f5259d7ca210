package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.RunQueue;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Expels nodes whose lease has run out and takes their runs back, in one transaction: never one without the other. */
final class LostRunRescuer {

    private final FencedTransactions transactions;
    private final NodeStore nodes;
    private final RunQueue queue;
    private final SchedulerListener events;

    LostRunRescuer(FencedTransactions transactions, NodeStore nodes, RunQueue queue, SchedulerListener events) {
        this.transactions = transactions;
        this.nodes = nodes;
        this.queue = queue;
        this.events = events;
    }

    void rescue(Term term) {
        Rescue rescue = transactions.commit(term, now -> takeBack());
        if (!rescue.lostNodes().isEmpty()) {
            events.onEvent(new RunsRescued(rescue.lostNodes(), rescue.attempts().size()));
        }
        for (FinishedAttempt attempt : rescue.attempts()) {
            if (rescue.states().get(attempt.run().id()) == RunState.DEAD) {
                events.onEvent(new RunDied(attempt, attempt.failure()));
            }
        }
    }

    private Rescue takeBack() {
        List<UUID> lost = nodes.expelExpired();
        if (lost.isEmpty()) {
            return new Rescue(lost, List.of(), Map.of());
        }
        List<FinishedAttempt> attempts =
                queue.lockRunsOf(lost).stream().map(FinishedAttempt::lost).toList();
        return new Rescue(lost, attempts, queue.fail(attempts));
    }

    private record Rescue(List<UUID> lostNodes, List<FinishedAttempt> attempts, Map<Long, RunState> states) {}
}
