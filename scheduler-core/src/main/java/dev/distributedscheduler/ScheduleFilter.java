package dev.distributedscheduler;

import org.jspecify.annotations.Nullable;

/**
 * Which schedules; all conditions that are given must hold.
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param namePrefix what their names begin with
 * @param state ACTIVE, PAUSED, RETIRED, ENDED or FAILED
 */
public record ScheduleFilter(
        @Nullable String tenant,
        @Nullable String namePrefix,
        @Nullable String job,
        @Nullable String state) {

    public static final ScheduleFilter ALL = new ScheduleFilter(null, null, null, null);

    public ScheduleFilter tenant(String name) {
        return new ScheduleFilter(name, namePrefix, job, state);
    }

    public ScheduleFilter namePrefix(String prefix) {
        return new ScheduleFilter(tenant, prefix, job, state);
    }

    public ScheduleFilter job(String name) {
        return new ScheduleFilter(tenant, namePrefix, name, state);
    }

    public ScheduleFilter state(String name) {
        return new ScheduleFilter(tenant, namePrefix, job, name);
    }
}
