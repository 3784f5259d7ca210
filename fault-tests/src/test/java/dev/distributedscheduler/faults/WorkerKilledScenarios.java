package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is killed in the middle of runs, be it the leader or not; all of them begin again elsewhere.
 *
 * <p>Checked by hand: fails when {@code LostRunRescuer} only expels.
 */
class WorkerKilledScenarios {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int RUNS = 12;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;

    @BeforeAll
    static void create() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.jobs", "0",
                        "distributed-scheduler.leader.lease", LEASE.toSeconds() + "s",
                        "distributed-scheduler.node.lease", LEASE.toSeconds() + "s"));
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @Scenario(3)
    void runsOfAKilledWorkerBeginAgain(Chance chance) {
        cluster.start(3);
        List<Long> runs = cluster.enqueue("held", RUNS);
        await("all runs under way")
                .until(() -> runs.stream()
                        .allMatch(run -> cluster.ledger().executorOf(run, 1).isPresent()));
        Replica victim = cluster.replica(
                cluster.ledger().executorOf(chance.oneOf(runs), 1).orElseThrow());
        List<Long> its = runs.stream()
                .filter(run -> cluster.ledger().executorOf(run, 1).orElseThrow().equals(victim.name()))
                .toList();
        cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
        victim.kill();
        Instant killed = cluster.now();

        await("second attempts")
                .atMost(LEASE.plusSeconds(15))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> its.stream()
                        .allMatch(run -> cluster.ledger().executorOf(run, 2).isPresent()));
        Duration untilAgain = Duration.between(killed, cluster.now());
        its.forEach(run -> cluster.letGo(run, 2));
        runs.stream().filter(run -> !its.contains(run)).forEach(run -> cluster.letGo(run, 1));

        for (long run : runs) {
            await("the end of run " + run)
                    .untilAsserted(() -> assertThat(cluster.history().outcomesOf(run))
                            .containsExactly(
                                    its.contains(run)
                                            ? new String[] {"1 LOST", "2 COMPLETED"}
                                            : new String[] {"1 COMPLETED"}));
        }
        Report.figure("recovery", untilAgain);
        assertThat(untilAgain).isLessThan(LEASE.plusSeconds(5));
    }
}
