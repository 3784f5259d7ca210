package dev.distributedscheduler.benchmarks.node;

import java.util.Arrays;

/** Of some times, in their unit. */
public record Percentiles(double p50, double p95, double p99, double max) {

    public static Percentiles of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Percentiles(at(sorted, 0.50), at(sorted, 0.95), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(double[] sorted, double fraction) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted[Math.max(0, (int) Math.ceil(fraction * sorted.length) - 1)];
    }

    String text() {
        return p50 + " " + p95 + " " + p99 + " " + max;
    }

    static Percentiles parse(String text) {
        double[] values = Arrays.stream(text.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new Percentiles(values[0], values[1], values[2], values[3]);
    }
}
