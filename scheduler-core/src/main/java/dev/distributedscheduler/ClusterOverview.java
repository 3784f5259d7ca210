package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster and its queue at a moment, counted with a bounded effort.
 *
 * @param time of the database
 * @param term of the present leader, or of the last one
 * @param leader null while there is none
 * @param live all live runs
 * @param queues live runs by queue and state
 * @param oldestDueAge how long the run that waits longest in line has been due; null when none is due. With a very long
 *     line, the longest of those at its head
 * @param stuck runs whose handlers ignore their interrupt
 * @param dead dead letters
 * @param orphaned runs that no live node can execute, by job
 */
public record ClusterOverview(
        Instant time,
        long term,
        @Nullable Leader leader,
        List<Node> nodes,
        Count live,
        List<Depth> queues,
        @Nullable Duration oldestDueAge,
        long stuck,
        Count dead,
        List<Orphans> orphaned) {

    /** The node that may turn ticks into runs. */
    public record Leader(UUID nodeId, @Nullable String name, Instant since, Instant leaseUntil) {}

    /**
     * A replica.
     *
     * @param alive whether its lease holds
     * @param running runs in its hands
     */
    public record Node(
            UUID id,
            String name,
            @Nullable String version,
            boolean dispatcher,
            boolean worker,
            boolean draining,
            boolean alive,
            Instant startedAt,
            Instant leaseUntil,
            long running) {}

    /**
     * A number that is not counted to the end.
     *
     * @param more whether there are more than {@code atLeast}
     * @param estimate by the database's statistics, if there are more; null when it has none
     */
    public record Count(
            long atLeast, boolean more, @Nullable Long estimate) {}

    /**
     * Runs of a queue in a state.
     *
     * @param more whether there may be more than {@code runs}
     */
    public record Depth(String queue, String state, long runs, boolean more) {}

    /**
     * Runs of a job that no live node can execute.
     *
     * @param more whether there may be more than {@code runs}
     */
    public record Orphans(String job, long runs, boolean more) {}
}
