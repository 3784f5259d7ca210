package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Expels nodes whose lease has run out, and takes back the runs of nodes that are no more.
 *
 * <p>A run that somebody has locked just then is passed over. The lock of a node that froze goes when the server loses
 * patience with it, so this looks again every second for a while.
 */
final class LostRunRescuer {

    private static final int RUNS_PER_BATCH = 1_000;
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration AFTER_EXPULSION = Duration.ofSeconds(10);

    private final FencedTransactions transactions;
    private final NodeStore nodes;
    private final RunQueue queue;
    private final RunHistory history;
    private final Means means;
    private final Every look;
    private long watchedUntil;
    private boolean watching;

    LostRunRescuer(FencedTransactions transactions, Means means) {
        this.transactions = transactions;
        this.nodes = new NodeStore(means.database());
        this.queue = new RunQueue(means.database());
        this.history = new RunHistory(means.database());
        this.means = means;
        this.look = new Every(BETWEEN_LOOKS, means.nanoTime());
    }

    /** Whether runs of a node that was expelled lately are to be looked for again. */
    boolean isDue() {
        return watching && look.isDue();
    }

    /** How long nothing more will be due, but not more than the given. */
    Duration next(Duration longest) {
        return watching && BETWEEN_LOOKS.compareTo(longest) < 0 ? BETWEEN_LOOKS : longest;
    }

    /** Handles one batch; returns how many nodes and runs it dealt with. */
    int rescue(Term term) {
        Rescue rescue = transactions.commit(term, now -> takeBack());
        watch(!rescue.expelled().isEmpty());
        if (rescue.size() > 0) {
            means.events()
                    .onEvent(
                            new RunsRescued(rescue.expelled(), rescue.attempts().size()));
        }
        for (FinishedAttempt attempt : rescue.attempts()) {
            RunState state = rescue.states().get(attempt.run().token());
            if (state != null) {
                means.events().onEvent(SchedulerEvent.unsuccessful(attempt, state));
            }
        }
        return rescue.size();
    }

    private void watch(boolean expelled) {
        long now = means.nanoTime().getAsLong();
        if (expelled) {
            watchedUntil = now + AFTER_EXPULSION.toNanos();
        }
        watching = expelled || watching && now - watchedUntil < 0;
        look.done();
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
