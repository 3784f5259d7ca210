package dev.distributedscheduler.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the tests measured, for the reader of the build's output and of {@code fault-tests/run}. */
final class Report {

    private static final List<String> FIGURES = new ArrayList<>();

    private Report() {}

    static void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** A figure of the present test, in seconds; those of one name are summed up over all repetitions. */
    static void figure(String name, Duration span) {
        figure(name + ",s", seconds(span));
    }

    /** A figure of the present test that has a unit of its own: {@code "throughput,runs/s"}. */
    static void figure(String nameAndUnit, double value) {
        String figure = String.format(Locale.ROOT, "%s=%.3f", nameAndUnit, value);
        FIGURES.add(figure);
        line("measured: %s", figure);
    }

    static List<String> figures() {
        return List.copyOf(FIGURES);
    }

    static void forgetFigures() {
        FIGURES.clear();
    }

    static double seconds(Duration span) {
        return span.toMillis() / 1_000.0;
    }
}
