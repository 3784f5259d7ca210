package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Handlers hold every connection of the application's pool, and every worker slot, longer than any lease. */
class PoolExhaustedScenarios {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int POOL = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** Checked by hand: fails when heartbeat and election use the pool. */
    @Scenario(6)
    void leasesSurviveAndNothingIsStartedTwice() {
        Map<String, String> settings = Map.of(
                "faults.jobs",
                "1",
                "distributed-scheduler.leader.lease",
                LEASE.toSeconds() + "s",
                "distributed-scheduler.node.lease",
                LEASE.toSeconds() + "s",
                "distributed-scheduler.worker.concurrency",
                Integer.toString(POOL),
                "spring.datasource.hikari.maximum-pool-size",
                Integer.toString(POOL),
                "spring.datasource.hikari.connection-timeout",
                "1000");
        try (Cluster cluster = new Cluster(directory, settings)) {
            cluster.sql()
                    .sql("create table effect (run bigint not null, attempt integer not null)")
                    .update();
            cluster.start(2);
            Instant start = Period.firstSecondAfter(cluster.now());
            List<Long> hogs = cluster.enqueue("transactional", 2 * POOL);
            await("no connection left")
                    .until(() -> hogs.stream()
                            .allMatch(run -> cluster.ledger().executorOf(run, 1).isPresent()));
            Instant exhausted = cluster.now();
            long term = cluster.term();
            Map<String, ?> nodes = cluster.nodes();

            cluster.awaitTime(exhausted.plus(LEASE.multipliedBy(3)));
            assertThat(cluster.term()).as("term").isEqualTo(term);
            assertThat(cluster.nodes()).as("nodes").isEqualTo(nodes);
            Instant freed = cluster.now();
            hogs.forEach(run -> cluster.letGo(run, 1));

            for (long run : hogs) {
                await("run " + run)
                        .atMost(Duration.ofSeconds(30))
                        .untilAsserted(() ->
                                assertThat(cluster.history().outcomesOf(run)).containsExactly("1 COMPLETED"));
            }
            Duration untilDone = Duration.between(freed, cluster.now());
            Period period = new Period(start, Period.firstSecondAfter(cluster.now()));
            Invariants invariants = Invariants.over(period, cluster).hold();
            assertThat(invariants.ledger().repetitions()).isEmpty();
            Report.figure("done after release", untilDone);
        }
    }
}
