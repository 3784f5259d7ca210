package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the leader works.
 *
 * @param enabled whether this node may lead at all
 * @param pollEvery longest time the leader sleeps without looking for due work
 * @param misfireGrace how old a missed tick may be to be run all the same
 * @param misfireAfter how late a tick may be dispatched without counting as missed
 * @param catchUpRate how fast missed ticks are made up for: a schedule's ticks come at most so many times as fast as usual
 * @param retireAfter how long a declared schedule may be without a live node that declares it
 * @param historyRetention how long finished attempts are kept
 * @param deadLetterRetention how long dead letters are kept; for ever when null
 * @param mode who dispatches
 */
public record DispatchSettings(
        boolean enabled,
        Duration pollEvery,
        Duration misfireGrace,
        Duration misfireAfter,
        double catchUpRate,
        Duration retireAfter,
        Duration historyRetention,
        @Nullable Duration deadLetterRetention,
        Mode mode) {

    /** Who turns due ticks into runs. */
    public enum Mode {
        /** The leader alone: simple, and enough for thousands of ticks a second. */
        SINGLE,
        /** All nodes that may lead, each for its share of the schedules, which the leader gives it. */
        PARTITIONED
    }

    public static final DispatchSettings DEFAULT = new DispatchSettings(
            true,
            Duration.ofSeconds(5),
            Duration.ofHours(1),
            Duration.ofSeconds(5),
            2,
            Duration.ofHours(1),
            Duration.ofDays(90),
            null,
            Mode.SINGLE);

    public DispatchSettings {
        check(pollEvery, "dispatch.poll-every", Duration.ofMillis(10));
        check(misfireGrace, "dispatch.misfire-grace", Duration.ofSeconds(1));
        check(misfireAfter, "dispatch.misfire-after", Duration.ofSeconds(1));
        check(retireAfter, "dispatch.retire-after", Duration.ofSeconds(1));
        if (!(catchUpRate > 1)) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.dispatch.catch-up-rate is " + catchUpRate,
                    "Set it to more than 1, or missed ticks are never made up for; 2 is a good value.");
        }
        check(historyRetention, "dispatch.history-retention", Duration.ofDays(1));
        if (deadLetterRetention != null) {
            check(deadLetterRetention, "dispatch.dead-letter-retention", Duration.ofDays(1));
        }
    }

    private static void check(Duration value, String property, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.%s is %s".formatted(property, value),
                    "Set it to at least %s.".formatted(least));
        }
    }

    public DispatchSettings withPollEvery(Duration other) {
        return new DispatchSettings(
                enabled,
                other,
                misfireGrace,
                misfireAfter,
                catchUpRate,
                retireAfter,
                historyRetention,
                deadLetterRetention,
                mode);
    }

    public DispatchSettings withMode(Mode other) {
        return new DispatchSettings(
                enabled,
                pollEvery,
                misfireGrace,
                misfireAfter,
                catchUpRate,
                retireAfter,
                historyRetention,
                deadLetterRetention,
                other);
    }
}
