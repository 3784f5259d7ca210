package dev.distributedscheduler.run;

import dev.distributedscheduler.EnqueueOptions;
import org.jspecify.annotations.Nullable;

/**
 * A run to be enqueued; what it does not say is taken from its job.
 *
 * @param trace for those who will execute it; null for none
 */
public record NewRun(
        String job,
        @Nullable String payload,
        EnqueueOptions options,
        @Nullable String trace) {

    /** Without a trace. */
    public NewRun(String job, @Nullable String payload, EnqueueOptions options) {
        this(job, payload, options, null);
    }
}
