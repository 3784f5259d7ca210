package dev.distributedscheduler.benchmarks.measure;

/**
 * How much of everything.
 *
 * @param scale by which the number of jobs in each measure is multiplied
 * @param seconds for which measures that have a duration go on
 */
public record Sizes(double scale, int seconds) {

    int scaled(int jobs) {
        return Math.max(1, (int) Math.round(jobs * scale));
    }
}
