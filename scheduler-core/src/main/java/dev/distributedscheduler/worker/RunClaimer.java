package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.RunQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Claims runs of one queue, one claim after the other.
 *
 * <p>A claim whose answer got lost may have been carried out, at once or later. So after a failed claim, and now and then
 * without one, the node gives back what it holds according to the database but not to its own knowledge.
 */
final class RunClaimer {

    private static final Duration BETWEEN_CHECKS = Duration.ofMinutes(1);

    private final RunQueue queue;
    private final String name;
    private final Set<String> jobs;
    private final Every check;
    private final SchedulerListener events;
    private boolean answerLost;

    RunClaimer(RunQueue queue, String name, Set<String> jobs, LongSupplier nanoTime, SchedulerListener events) {
        this.queue = queue;
        this.name = name;
        this.jobs = jobs;
        this.check = new Every(BETWEEN_CHECKS, nanoTime);
        this.events = events;
        check.done();
    }

    /** @param heldTokens of all runs of this queue that the node holds */
    List<ClaimedRun> claim(UUID node, Collection<Long> heldTokens, int most) {
        if (answerLost || check.isDue()) {
            giveBackUnheld(node, heldTokens);
        }
        answerLost = true;
        long asked = System.nanoTime();
        List<ClaimedRun> claimed = queue.claim(node, name, jobs, most);
        answerLost = false;
        events.onEvent(new RunsClaimed(name, claimed.size(), Duration.ofNanos(System.nanoTime() - asked)));
        return claimed;
    }

    void giveBackUnheld(UUID node, Collection<Long> heldTokens) {
        queue.giveBackUnheld(node, name, heldTokens);
        check.done();
    }
}
