package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.app.LedgerBegin;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica is told to stop as Kubernetes does it, with SIGTERM, and with SIGKILL when it takes too long. It executes runs at
 * that moment, all others are busy too, and more runs wait in line. Each test costs one of four replicas.
 */
class ShutdownFaultTests {

    private static final int SLOTS = 2;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration TO_END = Duration.ofSeconds(10);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;
    private static Replica hasty;

    private Map<String, List<Long>> executing;
    private List<Long> waiting;

    @BeforeAll
    static void startFourReplicas() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.jobs",
                        "0",
                        "distributed-scheduler.node.lease",
                        LEASE.toSeconds() + "s",
                        "distributed-scheduler.worker.concurrency",
                        Integer.toString(SLOTS),
                        "distributed-scheduler.worker.drain-timeout",
                        "60s"));
        hasty = cluster.start(Map.of("distributed-scheduler.worker.drain-timeout", "1s"));
        cluster.start(4);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @BeforeEach
    void occupyAllSlots() {
        List<Long> held = cluster.enqueue("held", SLOTS * cluster.live().size());
        held.forEach(run -> awaitExecutor(run, 1));
        Ledger ledger = cluster.ledger();
        executing = held.stream()
                .collect(groupingBy(run -> ledger.executorOf(run, 1).orElseThrow()));
        waiting = cluster.enqueue("quick", 10);
    }

    /**
     * One of its attempts ends early, so that a replica that still claims would have a slot to claim for.
     *
     * <p>Checked by hand: fails when the heartbeats end before {@code Workers.drain}, and when a draining pool goes on claiming.
     */
    @Test
    void attemptsEndInPeaceWhileTheWaitingRunsGoElsewhere() {
        Replica leaving = patientOne();
        List<Long> its = executing.remove(leaving.name());
        leaving.terminate();
        Instant signalled = cluster.now();
        await("its announcement").until(() -> isDraining(leaving));
        cluster.letGo(its.get(0), 1);
        awaitOutcomes(its.subList(0, 1), "1 COMPLETED");

        theOthersEnd();
        awaitOutcomes(waiting, "1 COMPLETED");
        Duration untilElsewhere = Duration.between(signalled, cluster.now());
        cluster.awaitTime(signalled.plus(LEASE.multipliedBy(3)));
        assertThat(leaving.isAlive()).as("still draining").isTrue();
        cluster.letGo(its.get(1), 1);
        leaving.awaitExit(TO_END);

        awaitOutcomes(its, "1 COMPLETED");
        Ledger ledger = cluster.ledger();
        assertThat(ledger.begins().stream().map(LedgerBegin::run).filter(its::contains))
                .as("starts")
                .containsExactlyInAnyOrderElementsOf(its);
        assertThat(waiting).noneMatch(run -> ledger.executorOf(run, 1).equals(Optional.of(leaving.name())));
        assertThat(leaving.log()).contains("Left the cluster, 0 attempts unfinished");
        Report.line(
                "SIGTERM, a job takes 3 leases: started once; the waiting runs were done elsewhere after %.2f s",
                seconds(untilElsewhere));
    }

    /** Checked by hand: fails when {@code NodeStore.expelExpired} passes over draining nodes. */
    @Test
    void attemptsOfAReplicaThatIsKilledWhileItDrainsAreRepeated() {
        Replica leaving = patientOne();
        List<Long> its = executing.remove(leaving.name());
        leaving.terminate();
        await("its announcement").until(() -> isDraining(leaving));
        theOthersEnd();
        awaitOutcomes(waiting, "1 COMPLETED");
        leaving.kill();
        Instant killed = cluster.now();

        its.forEach(run -> awaitExecutor(run, 2));
        Duration untilRepeated = Duration.between(killed, cluster.now());
        its.forEach(run -> cluster.letGo(run, 2));

        awaitOutcomes(its, "1 LOST", "2 COMPLETED");
        Report.line("SIGTERM, then SIGKILL: its runs began again elsewhere after %.2f s", seconds(untilRepeated));
    }

    /** Checked by hand: fails when {@code Workers.drain} does not interrupt, and when INTERRUPTED costs an attempt. */
    @Test
    void attemptsThatOutlastTheDrainTimeAreRepeatedAndCostNothing() {
        List<Long> its = executing.remove(hasty.name());
        theOthersEnd();
        awaitOutcomes(waiting, "1 COMPLETED");
        hasty.terminate();
        Instant signalled = cluster.now();

        its.forEach(run -> awaitExecutor(run, 2));
        Duration untilRepeated = Duration.between(signalled, cluster.now());
        assertThat(its).extracting(ShutdownFaultTests::failuresOf).containsOnly(0);
        its.forEach(run -> cluster.letGo(run, 2));
        hasty.awaitExit(TO_END);

        awaitOutcomes(its, "1 INTERRUPTED", "2 COMPLETED");
        assertThat(hasty.log()).contains("Left the cluster, 0 attempts unfinished");
        Report.line("SIGTERM, drain time over: its runs began again elsewhere after %.2f s", seconds(untilRepeated));
    }

    private static Replica patientOne() {
        return cluster.live().stream()
                .filter(replica -> replica != hasty)
                .findFirst()
                .orElseThrow();
    }

    /** Lets all attempts end but those of the replica that leaves. */
    private void theOthersEnd() {
        executing.values().forEach(runs -> runs.forEach(run -> cluster.letGo(run, 1)));
    }

    private static void awaitExecutor(long run, int attempt) {
        await("attempt %d of run %d".formatted(attempt, run))
                .atMost(LEASE.plusSeconds(5))
                .until(() -> cluster.ledger().executorOf(run, attempt).isPresent());
    }

    private static void awaitOutcomes(List<Long> runs, String... outcomes) {
        for (long run : runs) {
            await("run " + run)
                    .untilAsserted(
                            () -> assertThat(cluster.history().outcomesOf(run)).containsExactly(outcomes));
        }
    }

    private static boolean isDraining(Replica replica) {
        return cluster.sql()
                .sql("select draining from scheduler.node where name = :name")
                .param("name", replica.name())
                .query(Boolean.class)
                .single();
    }

    private static int failuresOf(long run) {
        return cluster.sql()
                .sql("select failures from scheduler.run where id = :run")
                .param("run", run)
                .query(Integer.class)
                .single();
    }
}
