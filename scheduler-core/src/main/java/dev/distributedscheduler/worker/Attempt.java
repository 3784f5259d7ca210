package dev.distributedscheduler.worker;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A held run on its way through this node: waiting for a thread, on it, ended.
 *
 * <p>It can be cut short at any time and from any thread. The interrupt reaches the handler's thread only while the handler
 * is on it, never the work that the thread does next.
 */
final class Attempt {

    private final ClaimedRun run;
    private final long claimedNanos;
    private @Nullable Thread thread;
    private @Nullable Outcome cutShort;
    private boolean ended;
    private boolean recorded;

    Attempt(ClaimedRun run, long claimedNanos) {
        this.run = run;
        this.claimedNanos = claimedNanos;
    }

    ClaimedRun run() {
        return run;
    }

    /** When the claim's answer arrived, by the monotonic clock. */
    long claimedNanos() {
        return claimedNanos;
    }

    /** The present thread takes the attempt over; false when it was cut short before that. */
    synchronized boolean begin() {
        if (cutShort != null) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /** Interrupts the attempt, unless it has ended; the first reason counts. */
    synchronized boolean cutShort(Outcome why) {
        if (ended) {
            return false;
        }
        if (cutShort == null) {
            cutShort = why;
        }
        if (thread != null) {
            thread.interrupt();
        }
        return true;
    }

    synchronized boolean isCutShort() {
        return cutShort != null;
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
