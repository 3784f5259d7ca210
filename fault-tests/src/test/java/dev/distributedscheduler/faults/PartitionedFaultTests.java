package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four replicas dispatch at once, each its partitions; one is killed, one is added.
 *
 * <p>Checked by hand: the killed replica's partitions wait for the end of its lease when {@code PartitionStore.eligible} does not
 * ask for its database session.
 */
class PartitionedFaultTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final int JOBS = 50;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void everyTickRunsOnceWhileReplicasComeAndGo() {
        Map<String, String> settings = Map.of(
                "faults.jobs",
                Integer.toString(JOBS),
                "distributed-scheduler.dispatch.mode",
                "partitioned",
                "distributed-scheduler.node.lease",
                LEASE.toSeconds() + "s");
        try (Cluster cluster = new Cluster(directory, settings).start(4)) {
            awaitShares(cluster, 64, 64, 64, 64);
            Instant start = cluster.now();
            cluster.awaitTime(start.plusSeconds(3));
            assertThat(dispatchers(cluster, start)).hasSize(4);

            Replica killed = follower(cluster);
            Instant killedAt = cluster.now();
            killed.kill();
            awaitShares(cluster, 85, 85, 86);
            Duration untilTaken = Duration.between(killedAt, cluster.now());
            Instant startedAt = cluster.now();
            cluster.start(Map.of());
            awaitShares(cluster, 64, 64, 64, 64);
            Duration untilShared = Duration.between(startedAt, cluster.now());
            cluster.awaitTime(cluster.now().plusSeconds(2));

            Period period = Period.after(start, Duration.between(start, cluster.now()));
            Invariants invariants = Invariants.over(period, cluster).holdWhoeverDispatches();

            assertThat(untilTaken).isLessThan(Duration.ofSeconds(5));
            Report.line(
                    "partitioned: %d runs, each once; partitions of a killed replica taken after %.2f s, of a new one given"
                            + " %.2f s after its start; dispatched by %s",
                    invariants.ledger().entries().size(),
                    seconds(untilTaken),
                    seconds(untilShared),
                    dispatchers(cluster, start));
        }
    }

    private static Replica follower(Cluster cluster) {
        String leader = cluster.leader().name();
        return cluster.replica(cluster.sql()
                .sql("select name from scheduler.node where name <> :leader order by name limit 1")
                .param("leader", leader)
                .query(String.class)
                .single());
    }

    private static List<String> dispatchers(Cluster cluster, Instant since) {
        return cluster.witness().all().stream()
                .filter(dispatch -> !dispatch.at().isBefore(since))
                .map(DispatchWitness.Dispatch::writer)
                .distinct()
                .sorted()
                .toList();
    }

    private static void awaitShares(Cluster cluster, Integer... shares) {
        await("partitions shared as " + List.of(shares))
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cluster.sql()
                        .sql("select cardinality(partitions) from scheduler.partition_owner order by 1")
                        .query(Integer.class)
                        .list()
                        .equals(List.of(shares)));
    }
}
