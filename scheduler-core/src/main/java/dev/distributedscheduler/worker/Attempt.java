package dev.distributedscheduler.worker;

import dev.distributedscheduler.Progress;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A held run on its way through this node: waiting for a thread, on it, ended.
 *
 * <p>It can be cut short at any time and from any thread. The interrupt reaches the handler's thread only while the handler
 * is on it, never the work that the thread does next. A handler that ignores it can be abandoned: then its end means
 * nothing any more.
 */
final class Attempt {

    private final ClaimedRun run;
    private final long claimedNanos;
    private long startedNanos;
    private @Nullable Thread thread;
    private @Nullable Outcome cutShort;
    private long cutNanos;
    private @Nullable String stuckStack;
    private boolean abandoned;
    private boolean ended;
    private boolean recorded;
    private @Nullable Progress news;

    Attempt(ClaimedRun run, long claimedNanos) {
        this.run = run;
        this.claimedNanos = claimedNanos;
        this.startedNanos = claimedNanos;
    }

    ClaimedRun run() {
        return run;
    }

    /** The present thread takes the attempt over; false when it was cut short before that. */
    synchronized boolean begin(long now) {
        startedNanos = now;
        if (cutShort != null) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /** Since the claim's answer. */
    Duration age(long now) {
        return Duration.ofNanos(now - claimedNanos);
    }

    /** From the claim's answer to the start. */
    synchronized Duration waited() {
        return Duration.ofNanos(startedNanos - claimedNanos);
    }

    /** From the start until now. */
    synchronized Duration ran(long now) {
        return Duration.ofNanos(now - startedNanos);
    }

    /** Interrupts the attempt, unless it has ended; the first reason counts. */
    synchronized boolean cutShort(Outcome why, long now) {
        if (ended) {
            return false;
        }
        if (cutShort == null) {
            cutShort = why;
            cutNanos = now;
        }
        if (thread != null) {
            thread.interrupt();
        }
        return true;
    }

    synchronized boolean isCutShort() {
        return cutShort != null;
    }

    synchronized @Nullable Outcome cutShort() {
        return cutShort;
    }

    /** Where the handler's thread stands, if it ignores its interrupt for so long; told once. */
    synchronized Optional<String> foundStuck(Duration patience, long now) {
        if (thread == null || cutShort == null || stuckStack != null || now - cutNanos < patience.toNanos()) {
            return Optional.empty();
        }
        stuckStack = Stacks.of(thread);
        return Optional.of(stuckStack);
    }

    synchronized @Nullable String stuckStack() {
        return stuckStack;
    }

    /** Lets the handler go on without its run; false when it has ended meanwhile. */
    synchronized boolean abandon() {
        abandoned |= !ended;
        return abandoned;
    }

    synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized void progress(Progress progress) {
        news = progress;
    }

    /** What the handler told since the last call. */
    synchronized Optional<Progress> takeProgress() {
        Progress told = news;
        news = null;
        return ended ? Optional.empty() : Optional.ofNullable(told);
    }

    /** The database has the result already, in the handler's own transaction. */
    synchronized void recorded() {
        recorded = true;
    }

    synchronized boolean isRecorded() {
        return recorded;
    }

    /** The handler has left the thread; returns why it was cut short, or null when it was not. */
    synchronized @Nullable Outcome end() {
        ended = true;
        thread = null;
        Thread.interrupted();
        return cutShort;
    }
}
