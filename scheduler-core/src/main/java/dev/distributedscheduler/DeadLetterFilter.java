package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters; all conditions that are given must hold.
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param job name of the job
 * @param diedFrom the earliest time of death, by the database's clock
 * @param diedBefore the time of death is earlier than this
 * @param errorType class name of the last error
 */
public record DeadLetterFilter(
        @Nullable String job,
        @Nullable Instant diedFrom,
        @Nullable Instant diedBefore,
        @Nullable String errorType) {

    public static final DeadLetterFilter ALL = new DeadLetterFilter(null, null, null, null);

    public DeadLetterFilter job(String name) {
        return new DeadLetterFilter(name, diedFrom, diedBefore, errorType);
    }

    public DeadLetterFilter diedFrom(Instant time) {
        return new DeadLetterFilter(job, time, diedBefore, errorType);
    }

    public DeadLetterFilter diedBefore(Instant time) {
        return new DeadLetterFilter(job, diedFrom, time, errorType);
    }

    public DeadLetterFilter errorType(Class<? extends Throwable> type) {
        return errorType(type.getName());
    }

    public DeadLetterFilter errorType(String name) {
        return new DeadLetterFilter(job, diedFrom, diedBefore, name);
    }
}
