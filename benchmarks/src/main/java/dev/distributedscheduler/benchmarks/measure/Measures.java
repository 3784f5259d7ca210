package dev.distributedscheduler.benchmarks.measure;

import java.util.List;

/** All measures there are, in the order of the results. */
public final class Measures {

    private static final List<Measure> ALL = List.of(Drain.by(1), Drain.by(2));

    private Measures() {}

    public static List<Measure> all() {
        return ALL;
    }
}
