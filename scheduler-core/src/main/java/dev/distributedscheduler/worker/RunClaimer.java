package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.RunQueue.Claim;
import dev.distributedscheduler.store.RunQueue.Portion;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims runs of one queue, one claim after the other.
 *
 * <p>A claim whose answer got lost may have been carried out, at once or later. So after a failed claim, and now and then
 * without one, the node gives back what it holds according to the database but not to its own knowledge.
 *
 * <p>In a long line, each claim begins where the last one did: what is before that has been claimed, and its dead index
 * entries, of which there may be a million until the next vacuum, are not passed again. Every now and then a claim begins at
 * the head of the line nevertheless: a run of higher priority may have come, or one may have been given back.
 */
final class RunClaimer {

    private static final Duration BETWEEN_CHECKS = Duration.ofMinutes(1);
    private static final Duration BETWEEN_HEADS = Duration.ofMillis(200);

    private final RunQueue queue;
    private final String name;
    private final Set<String> jobs;
    private final Every check;
    private final Every head;
    private @Nullable Instant from;
    private final SchedulerListener events;
    private boolean answerLost;

    RunClaimer(RunQueue queue, String name, Set<String> jobs, LongSupplier nanoTime, SchedulerListener events) {
        this.queue = queue;
        this.name = name;
        this.jobs = jobs;
        this.check = new Every(BETWEEN_CHECKS, nanoTime);
        this.head = new Every(BETWEEN_HEADS, nanoTime);
        this.events = events;
        check.done();
    }

    /**
     * @param heldTokens of all runs of this queue that the node holds
     * @param most at most so many runs
     * @param mostFailed at most so many when the first of them has failed before
     */
    List<ClaimedRun> claim(UUID node, Collection<Long> heldTokens, int most, int mostFailed) {
        if (answerLost || check.isDue()) {
            giveBackUnheld(node, heldTokens);
        }
        answerLost = true;
        long asked = System.nanoTime();
        Instant begin = head.isDue() ? null : from;
        Claim claim = queue.claim(node, name, jobs, new Portion(most, mostFailed, begin));
        if (begin != null && claim.runs().isEmpty()) {
            begin = null;
            claim = queue.claim(node, name, jobs, new Portion(most, mostFailed, null));
        }
        if (begin == null) {
            head.done();
        }
        from = claim.place();
        answerLost = false;
        events.onEvent(new RunsClaimed(name, claim.runs().size(), Duration.ofNanos(System.nanoTime() - asked)));
        return claim.runs();
    }

    void giveBack(Collection<ClaimedRun> runs) {
        queue.giveBack(runs);
        from = null;
    }

    void giveBackUnheld(UUID node, Collection<Long> heldTokens) {
        queue.giveBackUnheld(node, name, heldTokens);
        check.done();
        from = null;
    }
}
