package dev.distributedscheduler;

/**
 * The run that an enqueue call stands for.
 *
 * @param id identifies the run in history, logs and endpoints
 * @param isNew false when a run with the same idempotency key was there already
 */
public record EnqueuedRun(long id, boolean isNew) {}
