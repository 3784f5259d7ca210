package dev.distributedscheduler.benchmarks.contestant;

import dev.distributedscheduler.benchmarks.contestant.DbScheduler.Polling;
import java.util.List;

/** All contestants there are, in the order of the results. */
public final class Contestants {

    public static final String OURS = "ours";

    private static final int FEW_CONNECTIONS = 4;

    private static final List<Contestant> ALL = List.of(
            new Ours(OURS, List::of),
            new DbScheduler(Polling.LOCK_AND_FETCH),
            new DbScheduler(Polling.FETCH),
            new JobRunr(),
            new Quartz(),
            Raw.deleting(Conditions.WORKERS, 1),
            Raw.deleting(FEW_CONNECTIONS, 100),
            Raw.deleting(FEW_CONNECTIONS, 1_000),
            Raw.inserting(RawInsert.UNNEST),
            Raw.inserting(RawInsert.COPY));

    private Contestants() {}

    public static List<Contestant> all() {
        return ALL;
    }

    public static Contestant named(String name) {
        return ALL.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No contestant is called " + name));
    }
}
