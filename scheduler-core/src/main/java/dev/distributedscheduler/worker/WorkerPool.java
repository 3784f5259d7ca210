package dev.distributedscheduler.worker;

import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one queue on this node: claims when there are slots free, hands the runs to threads, and answers for them
 * until their results are recorded.
 *
 * <p>Where handlers are quick, it claims ahead (see {@link Pace}). What waits all the same, because a handler took longer
 * than those before it, is given back to the others.
 */
final class WorkerPool {

    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

    /** A run that has waited so long for a thread is given back. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private static final Duration WITHOUT_THREAD = Duration.ofSeconds(1);

    private final RunClaimer claimer;
    private final Slots slots;
    private final NodeHeartbeat heartbeat;
    private final RunExecutor executor;
    private final RunCompleter completer;
    private final Loop loop;
    private final ThreadPoolExecutor threads;
    private final Pace pace;

    private final Map<Long, Attempt> held = new ConcurrentHashMap<>();
    private final AtomicInteger handed = new AtomicInteger();
    private final AtomicInteger announced = new AtomicInteger();
    private volatile boolean moreInLine = true;
    private volatile int mayWait;
    private int gulp = 1;

    /**
     * What the pool may use.
     *
     * @param concurrency how many threads
     * @param pollEvery how often it looks by itself
     * @param buffers how much it may hold beyond what its threads work on
     */
    record Slots(String queue, int concurrency, ThreadFactory threads, Duration pollEvery, Buffers buffers) {}

    /** An attempt that a thread will take up. */
    private final class Task implements Runnable {

        private final Attempt attempt;

        Task(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void run() {
            work(attempt);
        }
    }

    WorkerPool(RunClaimer claimer, Slots slots, NodeHeartbeat heartbeat, RunExecutor executor, RunCompleter completer) {
        this.claimer = claimer;
        this.slots = slots;
        this.heartbeat = heartbeat;
        this.executor = executor;
        this.completer = completer;
        this.loop = new Loop("scheduler-claimer-" + slots.queue(), this::round);
        this.threads = threads(slots);
        this.pace = new Pace(slots.concurrency(), slots.buffers().prefetch());
    }

    private static ThreadPoolExecutor threads(Slots slots) {
        int most = slots.concurrency();
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), slots.threads());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    void start() {
        loop.start();
    }

    /** @param runs how many are said to have come; 0 when nobody said */
    void wake(int runs) {
        announced.accumulateAndGet(runs, Math::max);
        loop.wake();
    }

    private Duration round() {
        giveBackWhatWaitsTooLong();
        mayWait = pace.mayWait();
        Optional<UUID> node = heartbeat.liveNode();
        if (!hasRoom() || node.isEmpty()) {
            moreInLine = true;
            return hasRoom() && node.isPresent() ? Duration.ZERO : pause(); // what ended before this wakes nobody
        }
        int free = slots.concurrency() - handed.get();
        gulp = Math.max(gulp, shareOf(announced.getAndSet(0)));
        int most = Math.min(room(), gulp);
        List<ClaimedRun> claimed = claimer.claim(node.get(), held.keySet(), most, Math.max(1, free));
        List<Attempt> attempts = claimed.stream().map(this::hold).toList();
        if (!heartbeat.liveNode().equals(node)) { // the answer came when the lease, and its interrupt, had passed
            cutShort();
        }
        attempts.forEach(this::hand);
        moreInLine = claimed.size() == most || claimed.stream().anyMatch(run -> run.failures() > 0);
        gulp = moreInLine ? Math.min(gulp * 2, slots.concurrency() + mayWait) : shareOf(slots.concurrency());
        return moreInLine ? Duration.ZERO : pause();
    }

    /** How many more runs the pool may hold. */
    private int room() {
        int most = slots.concurrency() + mayWait;
        return Math.min(most - handed.get(), most + slots.buffers().unrecorded() - held.size());
    }

    /** For a claim that is worth its while: not for every single run that a fast pool has ended. */
    private boolean hasRoom() {
        return room() > mayWait / 4;
    }

    private void wakeIfThereIsRoom() {
        if (moreInLine && hasRoom()) {
            loop.wake();
        }
    }

    private Duration pause() {
        boolean waiting = !threads.getQueue().isEmpty() && slots.pollEvery().compareTo(LONGEST_WAIT) > 0;
        return waiting ? LONGEST_WAIT : slots.pollEvery();
    }

    /** A short line is shared by the nodes that a notification wakes; a long one is claimed in ever larger gulps. */
    private int shareOf(int runs) {
        int nodes = heartbeat.liveWorkers();
        return Math.max(1, (runs + nodes - 1) / nodes);
    }

    private void giveBackWhatWaitsTooLong() {
        if (threads.getQueue().peek() instanceof Task first
                && first.attempt.age(System.nanoTime()).compareTo(LONGEST_WAIT) > 0) {
            pace.stalled();
            giveBackWaiting();
        }
    }

    /** Lets others have what no thread has taken up. */
    private void giveBackWaiting() {
        List<Runnable> drained = new ArrayList<>();
        threads.getQueue().drainTo(drained);
        List<Attempt> waiting =
                drained.stream().map(task -> ((Task) task).attempt).toList();
        if (waiting.isEmpty()) {
            return;
        }
        try {
            claimer.giveBack(waiting.stream().map(Attempt::run).toList());
        } catch (RuntimeException unanswered) { // they may be another node's now, and must not begin here
            waiting.forEach(attempt -> attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime()));
            drained.forEach(threads::execute);
            throw unanswered;
        }
        waiting.forEach(this::recorded);
        handed.addAndGet(-waiting.size());
    }

    private Attempt hold(ClaimedRun run) {
        Attempt attempt = new Attempt(run, System.nanoTime());
        held.put(run.token(), attempt);
        return attempt;
    }

    private void hand(Attempt attempt) {
        handed.incrementAndGet();
        try {
            threads.execute(new Task(attempt));
        } catch (Throwable noThread) { // out of memory for one more thread, most likely
            ended(attempt, FinishedAttempt.notBegun(attempt.run(), noThread, WITHOUT_THREAD));
        }
    }

    private void work(Attempt attempt) {
        FinishedAttempt result;
        try {
            result = executor.execute(attempt);
        } catch (
                Throwable
                        beside) { // not the handler's, which the executor deals with: no memory for the result, for one
            result = FinishedAttempt.notBegun(attempt.run(), beside, WITHOUT_THREAD);
        }
        ended(attempt, result);
    }

    private void ended(Attempt attempt, FinishedAttempt result) {
        pace.ended(result.ran());
        handed.decrementAndGet();
        if (attempt.isRecorded()) {
            recorded(attempt);
            completer.recorded(result);
        } else if (!attempt.isAbandoned()) {
            completer.record(result, () -> recorded(attempt));
        }
        wakeIfThereIsRoom();
    }

    /** Gives an attempt up whose handler goes on; that keeps its slot until it returns. */
    void abandon(Attempt attempt, FinishedAttempt result) {
        completer.record(result, () -> recorded(attempt));
    }

    Collection<Attempt> attempts() {
        return held.values();
    }

    private void recorded(Attempt attempt) {
        held.remove(attempt.run().token());
        wakeIfThereIsRoom();
    }

    void cancel(Collection<Long> tokens) {
        for (Long token : tokens) {
            Attempt attempt = held.get(token);
            if (attempt != null) {
                attempt.cutShort(Outcome.CANCELLED, System.nanoTime());
            }
        }
    }

    /** Interrupts everything that has not ended; returns how many attempts that were. */
    int cutShort() {
        return (int) held.values().stream()
                .filter(attempt -> attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime()))
                .count();
    }

    /** Lets no further claim begin, waits for the one under way, and gives back what no thread has taken up. */
    void stopClaiming() {
        loop.close(slots.pollEvery());
        try {
            giveBackWaiting();
        } catch (RuntimeException unanswered) {
            log.debug("What waited is recorded as interrupted instead of given back", unanswered);
        }
        threads.shutdown();
    }

    boolean awaitHandlers(Duration patience) throws InterruptedException {
        return threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    SlotUse slotUse() {
        return new SlotUse(Math.min(handed.get(), slots.concurrency()), slots.concurrency());
    }

    /** Attempts whose results the database does not have yet. */
    int held() {
        return held.size();
    }

    /** Puts in line again what is this node's only in the eyes of the database. */
    void giveBackUnheld() {
        heartbeat.liveNode().ifPresent(node -> claimer.giveBackUnheld(node, held.keySet()));
    }
}
