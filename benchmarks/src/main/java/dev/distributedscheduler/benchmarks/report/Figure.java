package dev.distributedscheduler.benchmarks.report;

/**
 * What is counted.
 *
 * @param name unique together with the measure
 * @param unit for the reader
 * @param better which end of the scale is
 */
public record Figure(String name, String unit, Better better) {

    /** Which end of a scale is good. */
    public enum Better {
        HIGHER,
        LOWER
    }

    public static Figure higher(String name, String unit) {
        return new Figure(name, unit, Better.HIGHER);
    }

    public static Figure lower(String name, String unit) {
        return new Figure(name, unit, Better.LOWER);
    }

    /** How many times better the one is than the other. */
    double timesBetter(double one, double other) {
        return better == Better.HIGHER ? one / other : other / one;
    }
}
