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
 * @param historyRetention how long finished attempts are kept
 * @param deadLetterRetention how long dead letters are kept; for ever when null
 */
public record DispatchSettings(
        boolean enabled,
        Duration pollEvery,
        Duration misfireGrace,
        Duration historyRetention,
        @Nullable Duration deadLetterRetention) {

    public static final DispatchSettings DEFAULT =
            new DispatchSettings(true, Duration.ofSeconds(5), Duration.ofHours(1), Duration.ofDays(90), null);

    public DispatchSettings {
        check(pollEvery, "dispatch.poll-every", Duration.ofMillis(10));
        check(misfireGrace, "dispatch.misfire-grace", Duration.ofSeconds(1));
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
}
