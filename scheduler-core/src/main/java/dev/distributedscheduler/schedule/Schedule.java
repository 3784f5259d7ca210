package dev.distributedscheduler.schedule;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as declared in code.
 *
 * @param name unique in the cluster
 * @param job name of the job to run
 * @param trigger when; null switches the schedule off and keeps its row
 * @param initialDelay wait before the first tick
 */
public record Schedule(String name, String job, @Nullable Trigger trigger, Duration initialDelay) {

    public Schedule(String name, String job, @Nullable Trigger trigger) {
        this(name, job, trigger, Duration.ZERO);
    }
}
