package dev.distributedscheduler.run;

import dev.distributedscheduler.EnqueueOptions;
import org.jspecify.annotations.Nullable;

/** A run to be enqueued; what it does not say is taken from its job. */
public record NewRun(String job, @Nullable String payload, EnqueueOptions options) {}
