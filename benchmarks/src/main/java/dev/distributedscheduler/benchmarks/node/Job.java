package dev.distributedscheduler.benchmarks.node;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A job as all contestants carry it: its number, and when somebody began to enqueue it.
 *
 * @param micros since 1970; all processes run on one machine, so their clocks agree
 */
public record Job(int number, long micros) {

    static Job now(int number) {
        return new Job(number, microsNow());
    }

    static Job parse(String text) {
        int colon = text.indexOf(':');
        return new Job(Integer.parseInt(text, 0, colon, 10), Long.parseLong(text, colon + 1, text.length(), 10));
    }

    public static long microsNow() {
        return micros(Instant.now());
    }

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    String text() {
        return number + ":" + micros;
    }
}
