package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody forgets an open transaction, so that nothing that was deleted from the queue can be cleaned up: {@code
 * -Dfaults.snapshot-seconds=1800} for half an hour.
 */
@Timeout(4_000)
class OldSnapshotScenarios {

    private static final int SECONDS = Integer.getInteger("faults.snapshot-seconds", 60);
    private static final int RUNS_PER_TENTH = 20;
    private static final Duration WINDOW = Duration.ofSeconds(10);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(17)
    void queueKeepsItsPaceBehindAnOldSnapshot() throws SQLException {
        try (Cluster cluster = new Cluster(directory, Map.of("faults.jobs", "0")).start(2)) {
            load(cluster, Duration.ofSeconds(5)); // warm
            Instant before = cluster.now();
            load(cluster, WINDOW);
            double usual = throughput(before, cluster);
            double usualDelay = delay(before, cluster);
            Instant last;
            try (Connection forgotten = cluster.dataSource().getConnection();
                    Statement statement = forgotten.createStatement()) {
                forgotten.setAutoCommit(false);
                statement.execute("set transaction isolation level repeatable read");
                statement.execute("select txid_current(), count(*) from scheduler.run");
                load(cluster, Duration.ofSeconds(SECONDS).minus(WINDOW));
                last = cluster.now();
                load(cluster, WINDOW);
            }
            double held = throughput(last, cluster);

            Report.figure("usual,runs/s", usual);
            Report.figure("behind the snapshot,runs/s", held);
            Report.figure("usual delay p95,ms", usualDelay);
            Report.figure("delay p95 behind the snapshot,ms", delay(last, cluster));
            assertThat(held).isGreaterThan(0.8 * usual);
        }
    }

    /** So many runs every 100 ms, whatever becomes of them; returns when they have ended. */
    private static void load(Cluster cluster, Duration length) {
        long start = System.nanoTime();
        for (long tenth = 1; tenth <= length.toMillis() / 100; tenth++) {
            cluster.enqueue("quick", RUNS_PER_TENTH);
            long next = start + tenth * 100_000_000;
            await().pollInterval(Duration.ofMillis(5))
                    .pollDelay(Duration.ZERO)
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> System.nanoTime() - next >= 0);
        }
        await("the end of all runs")
                .atMost(Duration.ofSeconds(60))
                .until(() -> cluster.sql()
                        .sql("select not exists (select from scheduler.run)")
                        .query(Boolean.class)
                        .single());
    }

    private static double throughput(Instant since, Cluster cluster) {
        return cluster.sql()
                .sql("""
                        select count(*) / extract(epoch from max(finished_at) - min(finished_at))
                        from scheduler.execution where finished_at >= :since
                        """)
                .param("since", since.atOffset(ZoneOffset.UTC))
                .query(Double.class)
                .single();
    }

    private static double delay(Instant since, Cluster cluster) {
        return cluster.sql()
                .sql("""
                        select percentile_cont(0.95) within group (order by extract(epoch from started_at - run_at) * 1000)
                        from scheduler.execution where finished_at >= :since
                        """)
                .param("since", since.atOffset(ZoneOffset.UTC))
                .query(Double.class)
                .single();
    }
}
