package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.DispatchWitness.Dispatch;
import dev.distributedscheduler.faults.app.LedgerBegin;
import dev.distributedscheduler.faults.app.LedgerEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packets between one replica and the database get lost, in one or in both directions, and nobody is told. Connections that
 * were merely slow or were cut are here too.
 */
class PartitionedNetworkScenarios {

    private static final Duration LEASE = Duration.ofSeconds(6);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;
    private static final Map<String, Proxy> networks = new HashMap<>();

    private Replica leader;
    private long term;
    private Instant start;

    @BeforeAll
    static void startThreeReplicas() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.jobs",
                        "5",
                        "faults.often",
                        "100ms",
                        "distributed-scheduler.leader.lease",
                        LEASE.toSeconds() + "s",
                        "distributed-scheduler.node.lease",
                        LEASE.toSeconds() + "s",
                        "spring.datasource.hikari.data-source-properties.socketTimeout",
                        "5"));
        for (int i = 0; i < 3; i++) {
            Proxy network = cluster.network();
            networks.put(cluster.startBehind(network, Map.of()).name(), network);
        }
    }

    @AfterAll
    static void close() {
        cluster.close();
        networks.values().forEach(Proxy::close);
    }

    @BeforeEach
    void awaitPeace() {
        cluster.awaitJoined();
        start = Period.firstSecondAfter(cluster.now());
        cluster.awaitTime(start.plusSeconds(1));
        leader = cluster.leader();
        term = cluster.term();
    }

    @AfterEach
    void restore() {
        networks.values().forEach(Proxy::restore);
    }

    @Scenario(7)
    void leaderWithoutANetworkIsReplacedAndWritesNothing(Chance chance) {
        isolateLeader(Proxy::dropBoth, chance);
    }

    @Scenario(7)
    void leaderThatIsNotHeardIsReplacedAndWritesNothing(Chance chance) {
        isolateLeader(Proxy::dropToServer, chance);
    }

    /** Its renewals arrive, but it is never told. */
    @Scenario(7)
    void leaderThatHearsNothingIsReplacedAndWritesNothing(Chance chance) {
        isolateLeader(Proxy::dropToClient, chance);
    }

    private void isolateLeader(Consumer<Proxy> fault, Chance chance) {
        cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
        Proxy network = networks.get(leader.name());
        fault.accept(network);
        Instant isolated = cluster.now();

        Dispatch next = await("a successor to dispatch")
                .atMost(LEASE.plusSeconds(15))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> cluster.witness().firstAfter(term), Optional::isPresent)
                .orElseThrow();
        network.restore();
        Instant restored = cluster.now();
        awaitWork(leader, System.nanoTime());
        Duration untilBack = Duration.between(restored, cluster.now());
        assertThat(leader.log()).contains("no longer leads (term %d)".formatted(term));
        invariantsHold();

        Duration untilNext = Duration.between(isolated, next.at());
        Report.figure("successor", untilNext);
        Report.figure("rejoin", untilBack);
        assertThat(untilNext).isLessThan(LEASE.plusSeconds(2));
    }

    /** No two nodes work on the run at once: the isolated one gives up before its lease ends. */
    @Scenario(7)
    void workerWithoutANetworkStopsBeforeAnotherBegins(Chance chance) {
        long run = cluster.enqueue("held", 1).get(0);
        Replica worker = cluster.replica(awaitExecutor(run, 1));
        cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
        Proxy network = networks.get(worker.name());
        network.dropBoth();
        Instant isolated = cluster.now();

        String other = awaitExecutor(run, 2);
        Duration untilAgain = Duration.between(isolated, cluster.now());
        network.restore();
        cluster.letGo(run, 2);
        await("the end of the run")
                .until(() -> cluster.history().outcomesOf(run).contains("2 COMPLETED"));

        assertThat(other).isNotEqualTo(worker.name());
        LedgerEntry first = cluster.ledger().of("held").entries().stream()
                .filter(entry -> entry.run() == run && entry.attempt() == 1)
                .findFirst()
                .orElseThrow();
        LedgerBegin second = cluster.ledger().of("held").begins().stream()
                .filter(begin -> begin.run() == run && begin.attempt() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(first.monotonic().end()).as("end of the first attempt").isLessThan(second.nanos());
        awaitWork(worker, System.nanoTime());
        Report.figure("run elsewhere", untilAgain);
        assertThat(untilAgain).isLessThan(LEASE.multipliedBy(2).plusSeconds(5));
    }

    @Scenario(7)
    void slowNetworkCostsNothing(Chance chance) {
        networks.values()
                .forEach(network -> network.delay(chance.between(Duration.ofMillis(20), Duration.ofMillis(100))));
        cluster.awaitTime(cluster.now().plusSeconds(5));

        invariantsHold();
        assertThat(cluster.term()).as("term").isEqualTo(term);
    }

    @Scenario(7)
    void connectionsThatBreakAreReplaced(Chance chance) {
        for (int i = 0; i < 5; i++) {
            cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
            networks.values().forEach(chance.random().nextBoolean() ? Proxy::cut : Proxy::halfClose);
        }
        long broken = System.nanoTime();
        cluster.live().forEach(replica -> awaitWork(replica, broken));
        Report.figure("all working again", Duration.ofNanos(System.nanoTime() - broken));

        invariantsHold();
    }

    private void invariantsHold() {
        Invariants.over(new Period(start, Period.firstSecondAfter(cluster.now().plusSeconds(1))), cluster)
                .hold();
    }

    private static String awaitExecutor(long run, int attempt) {
        return await("attempt %d of run %d".formatted(attempt, run))
                .atMost(LEASE.multipliedBy(2).plusSeconds(15))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cluster.ledger().executorOf(run, attempt), Optional::isPresent)
                .orElseThrow();
    }

    private static void awaitWork(Replica replica, long since) {
        await("%s at work".formatted(replica))
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cluster.ledger().begins().stream()
                        .anyMatch(begin -> begin.node().equals(replica.name()) && begin.nanos() > since));
    }
}
