package dev.distributedscheduler.job;

import dev.distributedscheduler.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * The code of a job. An exception makes the attempt a failed one.
 *
 * @param <T> type of the payload; null for a run without one
 */
@FunctionalInterface
public interface JobHandler<T extends @Nullable Object> {

    void run(T payload, JobContext context) throws Exception;
}
