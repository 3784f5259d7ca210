package dev.distributedscheduler.faults;

import java.time.Duration;
import java.util.Locale;

/** The figures that a test measured, for the reader of the build's output. */
final class Report {

    private Report() {}

    static void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    static double seconds(Duration span) {
        return span.toMillis() / 1_000.0;
    }
}
