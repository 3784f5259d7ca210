package dev.distributedscheduler.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultsTests {

    private final Results results = new Results();

    @Test
    void higherIsBetterWhereItIs() {
        results.add("drain", "ours", Figure.higher("rate", "jobs/s"), 30);
        results.add("drain", "peer", Figure.higher("rate", "jobs/s"), 10);

        assertThat(results.table()).contains("3.00×");
    }

    @Test
    void lowerIsBetterWhereItIs() {
        results.add("latency", "ours", Figure.lower("p50", "ms"), 5);
        results.add("latency", "peer", Figure.lower("p50", "ms"), 10);

        assertThat(results.table()).contains("2.00×");
    }

    @Test
    void allRepeatsAreShownBesideTheirMedian() {
        for (double value : new double[] {300, 100, 200, 1_000}) {
            results.add("drain", "ours", Figure.higher("rate", "jobs/s"), value);
        }

        assertThat(results.table()).contains("| 100 | 250    | 1,000 |").contains("300 · 100 · 200 · 1,000");
    }

    @Test
    void aFailureIsNamed() {
        results.fail("drain", "peer", "2 lost");

        assertThat(results.isFailed()).isTrue();
        assertThat(results.failures()).contains("drain, peer: 2 lost");
    }
}
