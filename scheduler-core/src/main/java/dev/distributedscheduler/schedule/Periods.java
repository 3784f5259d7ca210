package dev.distributedscheduler.schedule;

import java.time.Duration;

/** The bounds of a period: a millisecond is the finest that a cluster can dispatch with any meaning. */
final class Periods {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(3660);

    private Periods() {}

    static void check(Duration period, String what) {
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A %s must be between 1 ms and 10 years, but is %s".formatted(what, period));
        }
    }
}
