package dev.distributedscheduler.faults;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.ServerControl.Stop;
import dev.distributedscheduler.faults.app.LedgerBegin;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The database goes and comes back under load; no replica is restarted for that, and no tick is lost or doubled. */
class DatabaseRestartScenarios {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration TO_WORK_AGAIN = Duration.ofSeconds(10);

    private static final int POOL = 5;
    /** All pools, heartbeat and listener of each replica, and the dispatch of one. */
    private static final int CONNECTIONS = 3 * (POOL + 2) + 1;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;
    private static ServerControl server;

    @BeforeAll
    static void create() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.often",
                        "100ms",
                        "spring.datasource.hikari.maximum-pool-size",
                        Integer.toString(POOL),
                        "distributed-scheduler.leader.lease",
                        LEASE.toSeconds() + "s",
                        "distributed-scheduler.node.lease",
                        LEASE.toSeconds() + "s"));
        server = new ServerControl(cluster.sql());
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @Scenario(5)
    void restartInOrder(Chance chance) {
        outage(Stop.FAST, chance.within(Duration.ofSeconds(2)), chance);
    }

    @Scenario(5)
    void crash(Chance chance) {
        outage(Stop.IMMEDIATE, chance.within(Duration.ofSeconds(2)), chance);
    }

    /** Everybody is expelled, and comes back under a new id. */
    @Scenario(5)
    void crashThatOutlastsAllLeases(Chance chance) {
        outage(Stop.IMMEDIATE, LEASE.plusSeconds(3), chance);
    }

    private void outage(Stop how, Duration length, Chance chance) {
        cluster.start(3);
        List<Replica> replicas = cluster.live();
        Instant start = Period.firstSecondAfter(cluster.now());
        cluster.awaitTime(start.plusSeconds(1).plus(chance.within(Duration.ofSeconds(2))));

        server.stop(how);
        await().pollDelay(length).until(() -> true);
        server.start();
        long back = System.nanoTime();

        Set<String> all = replicas.stream().map(Replica::name).collect(toSet());
        await("all replicas at work again")
                .atMost(TO_WORK_AGAIN.multipliedBy(3))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> executorsSince(back).containsAll(all));
        Duration untilAll = Duration.ofNanos(System.nanoTime() - back);
        Invariants.over(new Period(start, Period.firstSecondAfter(cluster.now().plusSeconds(1))), cluster)
                .hold();

        assertThat(replicas).as("no JVM ended").allMatch(Replica::isAlive);
        await("no more connections than there should be").until(() -> connections() <= CONNECTIONS);
        Report.figure("all working again", untilAll);
        assertThat(untilAll).isLessThan(TO_WORK_AGAIN);
    }

    private static Set<String> executorsSince(long nanos) {
        return cluster.ledger().begins().stream()
                .filter(begin -> begin.nanos() > nanos)
                .map(LedgerBegin::node)
                .collect(toSet());
    }

    private static int connections() {
        return cluster.sql()
                .sql("select count(*) from pg_stat_activity where application_name like 'replica-%'")
                .query(Integer.class)
                .single();
    }
}
