package dev.distributedscheduler.schedule;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.ScheduleKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as somebody wants it.
 *
 * @param job name of the job to run
 * @param timing when; null switches the schedule off and keeps its row
 * @param initialDelay wait before the first tick
 * @param work what its runs differ in from what the job says
 */
public record Schedule(
        ScheduleKey key, String job, @Nullable Timing timing, Duration initialDelay, SchedulePolicy policy, Work work) {

    /**
     * What the runs of a schedule differ in from what their job says.
     *
     * @param payload as stored; null for none
     * @param queue null for that of the job
     * @param priority null for that of the job
     */
    public record Work(
            @Nullable String payload,
            @Nullable String queue,
            @Nullable Priority priority) {

        public static final Work OF_THE_JOB = new Work(null, null, null);
    }

    /** A schedule of the application itself, with the default policies. */
    public Schedule(String name, String job, @Nullable Trigger trigger, Duration initialDelay) {
        this(
                ScheduleKey.of(name),
                job,
                trigger == null ? null : Timing.of(trigger),
                initialDelay,
                SchedulePolicy.DEFAULT,
                Work.OF_THE_JOB);
    }

    public Schedule(String name, String job, @Nullable Trigger trigger) {
        this(name, job, trigger, Duration.ZERO);
    }

    public Schedule with(SchedulePolicy other) {
        return new Schedule(key, job, timing, initialDelay, other, work);
    }

    /** When; throws if it is switched off. */
    public Timing knownTiming() {
        if (timing == null) {
            throw new IllegalArgumentException("Schedule '%s' is switched off".formatted(key));
        }
        return timing;
    }

    /** Its first tick if it becomes known at {@code now}; null when its timing leaves none. */
    public @Nullable Instant first(Instant now) {
        try {
            return knownTiming().first(now, initialDelay);
        } catch (IllegalArgumentException never) {
            throw new IllegalArgumentException("Schedule '%s': %s".formatted(key, never.getMessage()), never);
        }
    }

    public String name() {
        return key.name();
    }
}
