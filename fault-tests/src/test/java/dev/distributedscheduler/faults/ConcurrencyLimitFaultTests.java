package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.History.Execution;
import dev.distributedscheduler.faults.app.Enqueued;
import dev.distributedscheduler.faults.app.LedgerBegin;
import dev.distributedscheduler.faults.app.LedgerEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four replicas share a job of which three runs may be executed at once, and are killed at random moments.
 *
 * <p>{@code -Dfaults.runs=2000 -Dfaults.kills=10} makes it longer; {@code -Dfaults.seed} with a seed that was printed repeats
 * its durations and moments.
 *
 * <p>Checked by hand: fails when {@code Admission} does not add the slots in use before it compares with the limit, and when
 * it counts RUNNING runs only.
 */
class ConcurrencyLimitFaultTests {

    private static final int RUNS = Integer.getInteger("faults.runs", 600);
    private static final int KILLS = Integer.getInteger("faults.kills", 4);
    private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(30).plusMillis(50L * RUNS);

    private final Random random = new Random(SEED);
    private final List<Kill> kills = new ArrayList<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** @param gone when the process had ended, by the clock of the ledger */
    private record Kill(String replica, UUID node, long gone) {}

    @Test
    void limitHoldsWhileReplicasAreKilled() {
        Report.line("concurrency limit: seed %d", SEED);
        Map<String, String> settings =
                Map.of("faults.jobs", "0", "distributed-scheduler.node.lease", LEASE.toSeconds() + "s");
        try (Cluster cluster = new Cluster(directory, settings).start(4)) {
            List<Integer> moments =
                    random.ints(KILLS, 0, RUNS * 9 / 10).sorted().boxed().toList();
            List<Long> runs = cluster.enqueue("limited", durations());
            long started = System.nanoTime();

            for (int moment : moments) {
                awaitCompleted(moment, cluster);
                kill(kills.size() % 2 == 0 ? anyReplica(cluster) : replicaInTheMiddleOfARun(cluster), cluster);
                cluster.start(Map.of());
            }
            awaitCompleted(RUNS, cluster);
            Duration took = Duration.ofNanos(System.nanoTime() - started);

            Ledger ledger = cluster.ledger().of("limited");
            List<Execution> history = cluster.history().of("limited");
            limitHeldAndWasReached(ledger);
            everyRunIsCompletedOnce(runs, ledger, history);
            attemptsAreLostToKillsOnly(ledger, history);
            report(took, ledger, history);
        }
    }

    /** A few milliseconds each, and some much longer, so that a kill finds one under way. */
    private List<String> durations() {
        return IntStream.range(0, RUNS)
                .mapToObj(number -> number % 20 == 0 ? 300 : 1 + random.nextInt(8))
                .map(String::valueOf)
                .toList();
    }

    private static void awaitCompleted(int count, Cluster cluster) {
        await(count + " completed runs")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> cluster.sql()
                                .sql("select count(*) from scheduler.execution where outcome = 'COMPLETED'")
                                .query(Integer.class)
                                .single()
                        >= count);
    }

    private Replica anyReplica(Cluster cluster) {
        return chooseOne(cluster, "select name from scheduler.node order by name");
    }

    /** Frozen, so that it is still there when it is killed. */
    private Replica replicaInTheMiddleOfARun(Cluster cluster) {
        while (true) {
            Replica candidate = chooseOne(cluster, """
                    select distinct n.name
                    from scheduler.run r join scheduler.node n on n.id = r.node_id
                    where r.state = 'RUNNING'
                    order by n.name
                    """);
            candidate.freeze();
            if (cluster.ledger().isExecuting(candidate.name())) {
                return candidate;
            }
            candidate.resume();
        }
    }

    private Replica chooseOne(Cluster cluster, String names) {
        List<Replica> candidates = await("a replica to kill")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> cluster.sql().sql(names).query(String.class).list().stream()
                                .map(cluster::replica)
                                .filter(Replica::isAlive)
                                .toList(),
                        live -> !live.isEmpty());
        return candidates.get(random.nextInt(candidates.size()));
    }

    private void kill(Replica replica, Cluster cluster) {
        UUID node = cluster.nodes().get(replica.name());
        replica.kill();
        kills.add(new Kill(replica.name(), node, System.nanoTime()));
    }

    private void limitHeldAndWasReached(Ledger ledger) {
        Map<String, Long> gone = kills.stream().collect(toMap(Kill::replica, Kill::gone));
        assertThat(ledger.mostAtOnce(gone)).as("executions at once").isEqualTo(Enqueued.LIMIT);
    }

    private static void everyRunIsCompletedOnce(List<Long> runs, Ledger ledger, List<Execution> history) {
        List<Execution> completed = history.stream()
                .filter(execution -> execution.outcome().equals("COMPLETED"))
                .toList();
        assertThat(completed).extracting(Execution::run).containsExactlyInAnyOrderElementsOf(runs);
        assertThat(ledger.entries())
                .extracting(LedgerEntry::token)
                .as("executions that happened")
                .containsAll(tokens(completed));
        assertThat(ledger.begins())
                .extracting(LedgerBegin::token)
                .as("executions that are in the history")
                .doesNotHaveDuplicates()
                .isSubsetOf(tokens(history));
    }

    private void attemptsAreLostToKillsOnly(Ledger ledger, List<Execution> history) {
        assertThat(history.stream().map(Execution::outcome).distinct()).isSubsetOf("COMPLETED", "LOST");
        List<Execution> lost = lost(history);
        assertThat(lost)
                .extracting(Execution::node)
                .isSubsetOf(kills.stream().map(Kill::node).toList());
        assertThat(ledger.unended()).isSubsetOf(tokens(lost)).hasSizeGreaterThanOrEqualTo(KILLS / 2);
        assertThat(lost).hasSizeLessThanOrEqualTo(KILLS * Enqueued.LIMIT);
    }

    private static List<Execution> lost(List<Execution> history) {
        return history.stream()
                .filter(execution -> execution.outcome().equals("LOST"))
                .toList();
    }

    private static Set<Long> tokens(List<Execution> executions) {
        return executions.stream().map(Execution::token).collect(toSet());
    }

    private void report(Duration took, Ledger ledger, List<Execution> history) {
        Report.line(
                "concurrency limit %d: %d runs on 4 replicas in %.1f s (%.0f/s) with %d SIGKILLs; %d attempts lost, %d in the middle",
                Enqueued.LIMIT,
                RUNS,
                seconds(took),
                RUNS / seconds(took),
                KILLS,
                lost(history).size(),
                ledger.unended().size());
    }
}
