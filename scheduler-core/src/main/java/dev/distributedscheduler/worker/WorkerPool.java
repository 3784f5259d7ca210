package dev.distributedscheduler.worker;

import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers of one queue on this node: claims when there are slots free, hands the runs to threads, and answers for them
 * until their results are recorded.
 */
final class WorkerPool {

    /** Results that may wait for the database before the pool stops claiming. */
    private static final int MOST_UNRECORDED = 2_000;

    private static final Duration WITHOUT_THREAD = Duration.ofSeconds(1);

    private final RunClaimer claimer;
    private final Slots slots;
    private final NodeHeartbeat heartbeat;
    private final RunExecutor executor;
    private final RunCompleter completer;
    private final Loop loop;
    private final ExecutorService threads;

    private final Map<Long, Attempt> held = new ConcurrentHashMap<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean moreInLine = true;
    private int gulp = 1;

    /** What the pool may use: threads, how many of them, and how often it looks by itself. */
    record Slots(String queue, int concurrency, ThreadFactory threads, Duration pollEvery) {}

    WorkerPool(RunClaimer claimer, Slots slots, NodeHeartbeat heartbeat, RunExecutor executor, RunCompleter completer) {
        this.claimer = claimer;
        this.slots = slots;
        this.heartbeat = heartbeat;
        this.executor = executor;
        this.completer = completer;
        this.loop = new Loop("scheduler-claimer-" + slots.queue(), this::round);
        this.threads = threads(slots);
    }

    private static ExecutorService threads(Slots slots) {
        int most = slots.concurrency();
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), slots.threads());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    private Duration round() {
        int free = Math.min(slots.concurrency() - busy.get(), slots.concurrency() + MOST_UNRECORDED - held.size());
        Optional<UUID> node = heartbeat.liveNode();
        if (free <= 0 || node.isEmpty()) {
            moreInLine = true;
            return slots.pollEvery();
        }
        int most = Math.min(free, gulp);
        List<ClaimedRun> claimed = claimer.claim(node.get(), held.keySet(), most);
        List<Attempt> attempts = claimed.stream().map(this::hold).toList();
        if (!heartbeat.liveNode().equals(node)) { // the answer came when the lease, and its interrupt, had passed
            cutShort();
        }
        attempts.forEach(this::hand);
        moreInLine = claimed.size() == most;
        gulp = moreInLine ? gulp * 2 : fairShare();
        gulp = Math.min(gulp, slots.concurrency());
        return moreInLine ? Duration.ZERO : slots.pollEvery();
    }

    /** A short line is shared by the nodes that a notification wakes; a long one is claimed in ever larger gulps. */
    private int fairShare() {
        return Math.max(1, slots.concurrency() / heartbeat.liveWorkers());
    }

    private Attempt hold(ClaimedRun run) {
        Attempt attempt = new Attempt(run, System.nanoTime());
        held.put(run.token(), attempt);
        return attempt;
    }

    private void hand(Attempt attempt) {
        busy.incrementAndGet();
        try {
            threads.execute(() -> work(attempt));
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
        busy.decrementAndGet();
        if (attempt.isRecorded()) {
            recorded(attempt);
            completer.recorded(result);
        } else if (!attempt.isAbandoned()) {
            completer.record(result, () -> recorded(attempt));
        }
        if (moreInLine) {
            loop.wake();
        }
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

    /** Lets no further claim begin and waits for the one under way, so that all that was claimed has been handed over. */
    void stopClaiming() {
        loop.close(slots.pollEvery());
        threads.shutdown();
    }

    boolean awaitHandlers(Duration patience) throws InterruptedException {
        return threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    SlotUse slotUse() {
        return new SlotUse(busy.get(), slots.concurrency());
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
