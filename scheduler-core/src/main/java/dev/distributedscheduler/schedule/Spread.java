package dev.distributedscheduler.schedule;

import dev.distributedscheduler.ScheduleKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32;

/** Spreads schedules that are due at the same time: each gets a stable place within a span, by its name. */
public final class Spread {

    private Spread() {}

    /** Between zero and the span; always the same for the same schedule and span. */
    public static Duration shift(ScheduleKey key, Duration span) {
        if (span.isNegative() || span.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("A spread is between zero and a day, but is " + span);
        }
        CRC32 hash = new CRC32();
        hash.update((key.tenant() + '\n' + key.name()).getBytes(StandardCharsets.UTF_8));
        return span.toMillis() == 0 ? Duration.ZERO : Duration.ofMillis(hash.getValue() % span.toMillis());
    }
}
