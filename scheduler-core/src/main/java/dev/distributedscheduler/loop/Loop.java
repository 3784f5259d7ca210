package dev.distributedscheduler.loop;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats a step, sleeping as long as the step says or until it is woken.
 *
 * <p>It survives everything the step throws, errors included: it waits with capped, jittered backoff, which a wake-up
 * does not shorten, and tries again. It logs when trouble starts and when it ends, not every round.
 */
public final class Loop {

    /** One round of a loop. */
    @FunctionalInterface
    public interface Step {

        /** Does the work of one round and returns how long to sleep unless woken. */
        Duration run() throws Exception;
    }

    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);

    private final Thread thread;
    private final Step step;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean woken;
    private boolean closed;
    private int failures;

    public Loop(String name, Step step) {
        this.step = step;
        this.thread = new Thread(this::repeat, name);
        this.thread.setDaemon(true);
    }

    /** Makes this the thread that keeps the JVM running for as long as the loop is not closed. */
    public Loop keepingJvmAlive() {
        thread.setDaemon(false);
        return this;
    }

    public Loop start() {
        thread.start();
        return this;
    }

    /** Ends the present or next sleep; many calls before that count as one. */
    public void wake() {
        if (woken) { // it is reset before the round that will see what this caller has done
            return;
        }
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets no further round begin. */
    public void closing() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets no further round begin and waits for the one under way; interrupts it when it outlasts the patience. */
    public void close(Duration patience) {
        closing();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(Math.max(1, patience.toMillis()));
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(1_000);
            }
        } catch (InterruptedException stopWaiting) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void repeat() {
        while (!isClosed()) {
            Duration pause;
            boolean wakeable = true;
            try {
                pause = step.run();
                recovered();
            } catch (Throwable failure) {
                pause = failed(failure);
                wakeable = false;
            }
            sleep(pause, wakeable);
        }
    }

    private void recovered() {
        if (failures > 0) {
            log.info("{} works again after {} failed tries", thread.getName(), failures);
            failures = 0;
        }
    }

    private Duration failed(Throwable failure) {
        failures++;
        try {
            tell(failure);
        } catch (Throwable unprintable) {
            log.warn("{} failed with {}", thread.getName(), failure.getClass().getName());
        }
        long bound = Math.min(FIRST_BACKOFF.toMillis() << Math.min(failures - 1, 10), LONGEST_BACKOFF.toMillis());
        return Duration.ofMillis(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    private void tell(Throwable failure) {
        if (isClosed()) {
            log.debug("{} failed while closing", thread.getName(), failure);
        } else if (failures == 1) {
            log.warn("{} failed and will try again until it works", thread.getName(), failure);
        } else {
            log.debug("{} failed {} times in a row", thread.getName(), failures, failure);
        }
    }

    private void sleep(Duration pause, boolean wakeable) {
        lock.lock();
        try {
            long left = pause.toNanos();
            while (left > 0 && !closed && !(wakeable && woken)) {
                left = changed.awaitNanos(left);
            }
            woken = false;
        } catch (InterruptedException roundsGoOnUntilClosed) {
            log.debug("{} was interrupted in its sleep", thread.getName());
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }
}
