package dev.distributedscheduler.benchmarks.measure;

import java.util.List;

/** All measures there are, in the order of the results. */
public final class Measures {

    private static final List<Measure> ALL = List.of(
            Drain.by(1),
            Drain.by(2),
            Enqueue.singly(),
            Enqueue.inBulk(),
            new Latency(50, false),
            new Latency(1_000, false),
            new Latency(50, true),
            new Latency(1_000, true),
            new Recurring(),
            new Idle(),
            Drain.of("backlog-10k", 10_000),
            Drain.of("backlog-100k", 100_000),
            Drain.of("backlog-1m", 1_000_000),
            Drain.beside(10_000_000),
            new TableSize());

    private Measures() {}

    public static List<Measure> all() {
        return ALL;
    }
}
