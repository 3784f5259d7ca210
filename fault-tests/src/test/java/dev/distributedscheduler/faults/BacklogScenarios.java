package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.RunQueue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A million runs wait when four nodes begin: {@code -Dfaults.backlog=100000} for fewer. */
@Timeout(3_600)
class BacklogScenarios {

    private static final int RUNS = Integer.getInteger("faults.backlog", 1_000_000);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** An onlooker claims as workers do, and takes it back, to see how long that takes. */
    @Scenario(10)
    void backlogDrainsAtAnEvenPace() throws SQLException {
        try (Cluster cluster = new Cluster(directory, Map.of("faults.jobs", "0"))) {
            cluster.start(1); // declares the jobs
            cluster.live().get(0).kill();
            cluster.forgetTheDead();
            cluster.sql().sql("""
                            insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                            select 'quick', 'default', 'READY', 0, now(), now(), 3 from generate_series(1, :runs)
                            """).param("runs", RUNS).update();
            cluster.sql().sql("vacuum analyze scheduler.run").update();
            cluster.start(4);
            long term = cluster.term();
            List<Double> claims = new ArrayList<>();
            try (DedicatedDataSource own = new DedicatedDataSource(cluster.dataSource(), Duration.ofSeconds(20));
                    Connection connection = own.getConnection()) {
                connection.setAutoCommit(false);
                Database database = new Database(own, Database.DEFAULT_SCHEMA);
                await("the end of the backlog")
                        .atMost(Duration.ofMinutes(50))
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> {
                            claims.add(millisToClaim(database));
                            connection.rollback();
                            return completed(cluster) >= RUNS;
                        });
            }
            Collections.sort(claims);
            double first = pace("asc", cluster);
            double last = pace("desc", cluster);

            Report.figure("first tenth,runs/s", first);
            Report.figure("last tenth,runs/s", last);
            Report.figure("claim p50,ms", claims.get(claims.size() / 2));
            Report.figure("claim p99,ms", claims.get((int) (claims.size() * 0.99)));
            assertThat(last).isGreaterThan(first / 2);
            assertThat(deadlocks(cluster)).isZero();
            assertThat(cluster.term()).as("term").isEqualTo(term);
            assertThat(cluster.live()).hasSize(4);
            assertThat(cluster.sql()
                            .sql("select count(distinct run_id) from scheduler.execution")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(RUNS);
        }
    }

    private static double millisToClaim(Database database) {
        UUID node = UUID.randomUUID();
        new NodeStore(database)
                .register(
                        new Node(node, "onlooker", null, false, true, Set.of("quick"), Declared.NOTHING),
                        Duration.ofMinutes(1));
        long start = System.nanoTime();
        new RunQueue(database).claim(node, "default", Set.of("quick"), 10);
        return (System.nanoTime() - start) / 1e6;
    }

    private static int completed(Cluster cluster) {
        return cluster.sql()
                .sql("select count(*) from scheduler.execution where outcome = 'COMPLETED'")
                .query(Integer.class)
                .single();
    }

    private static double pace(String order, Cluster cluster) {
        return cluster.sql()
                .sql("""
                        select count(*) / extract(epoch from max(finished_at) - min(finished_at))
                        from (select finished_at from scheduler.execution order by finished_at %s limit :tenth) e
                        """.formatted(order))
                .param("tenth", RUNS / 10)
                .query(Double.class)
                .single();
    }

    private static int deadlocks(Cluster cluster) {
        return cluster.sql()
                .sql("select deadlocks from pg_stat_database where datname = current_database()")
                .query(Integer.class)
                .single();
    }
}
