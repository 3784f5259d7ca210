package dev.distributedscheduler.watch;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;

/**
 * How this node looks on.
 *
 * @param enabled whether it does; without it there are neither meters of the queue nor words about stuck or overdue jobs
 * @param every time between two looks
 * @param patience longest time of a statement
 * @param exactUpTo runs up to which a count is exact
 */
public record WatchSettings(boolean enabled, Duration every, Duration patience, int exactUpTo) {

    public static final WatchSettings DEFAULT =
            new WatchSettings(true, Duration.ofSeconds(30), Duration.ofSeconds(2), 2_000);

    public WatchSettings {
        atLeast("every", every, Duration.ofMillis(100));
        atLeast("patience", patience, Duration.ofMillis(10));
        if (exactUpTo < 1) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.watch.exact-up-to is " + exactUpTo,
                    "Set it to at least 1; 2000 is a good value.");
        }
    }

    public WatchSettings withEvery(Duration other) {
        return new WatchSettings(enabled, other, patience, exactUpTo);
    }

    private static void atLeast(String property, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.watch.%s is %s".formatted(property, value),
                    "Set it to at least %s.".formatted(least));
        }
    }
}
