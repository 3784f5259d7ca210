package dev.distributedscheduler;

import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues runs of jobs.
 *
 * <p>Inside a Spring transaction on the scheduler's database, what is enqueued becomes visible with the commit and vanishes
 * with a rollback, together with everything else the transaction does. Outside, each call is atomic by itself.
 *
 * <pre>{@code
 * scheduler.enqueue("send-invoice", new InvoiceRequest(42), options -> options.idempotencyKey("invoice-42"));
 * }</pre>
 */
public interface JobScheduler {

    /** A run that is due now. */
    default EnqueuedRun enqueue(String job, @Nullable Object payload) {
        return enqueue(job, payload, UnaryOperator.identity());
    }

    /** A run with options of its own. */
    EnqueuedRun enqueue(String job, @Nullable Object payload, UnaryOperator<EnqueueOptions> options);

    /** One run per payload, in one statement; in the order of the payloads. */
    default List<EnqueuedRun> enqueueAll(String job, Collection<?> payloads) {
        return enqueueAll(job, payloads, (payload, options) -> options);
    }

    /** As {@link #enqueueAll(String, Collection)}, with options per payload. */
    <T> List<EnqueuedRun> enqueueAll(
            String job, Collection<T> payloads, BiFunction<T, EnqueueOptions, EnqueueOptions> options);

    /**
     * Cancels a run. A waiting one is gone at once; a running one is interrupted, and recorded as cancelled unless it
     * succeeds all the same. Repeating it is harmless.
     *
     * @return whether the run was live
     */
    boolean cancel(long runId);

    /**
     * Puts a run that waits for its time, or for its next attempt, in line now.
     *
     * @return false when there is no such run that waits for a time
     */
    boolean retryNow(long runId);

    /** Begins to describe a schedule that this program wants; see {@link Schedules}. */
    ScheduleSpec schedule(String name);
}
