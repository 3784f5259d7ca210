package dev.distributedscheduler;

import org.jspecify.annotations.Nullable;

/**
 * Which live runs; all conditions that are given must hold.
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param state SCHEDULED, READY, BLOCKED or RUNNING
 */
public record RunFilter(
        @Nullable String job,
        @Nullable String queue,
        @Nullable String state) {

    public static final RunFilter ALL = new RunFilter(null, null, null);

    public RunFilter job(String name) {
        return new RunFilter(name, queue, state);
    }

    public RunFilter queue(String name) {
        return new RunFilter(job, name, state);
    }

    public RunFilter state(String name) {
        return new RunFilter(job, queue, name);
    }
}
