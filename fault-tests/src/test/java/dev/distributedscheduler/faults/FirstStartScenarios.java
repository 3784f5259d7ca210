package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Ten replicas start at once where there are no tables yet, or those of the version before. */
@Timeout(300)
class FirstStartScenarios {

    private static final int REPLICAS = Integer.getInteger("faults.replicas", 10);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(16)
    void onAnEmptyDatabase() {
        startAll(Cluster.withoutTables(directory, Map.of("faults.jobs", "2")));
    }

    @Scenario(16)
    void onTheTablesOfTheVersionBefore() {
        Cluster cluster = Cluster.withoutTables(directory, Map.of("faults.jobs", "2"));
        Flyway all = flyway(cluster, MigrationVersion.LATEST);
        int newest = all.info().all().length;
        flyway(cluster, MigrationVersion.fromVersion(Integer.toString(newest - 1)))
                .migrate();
        startAll(cluster);
    }

    private static Flyway flyway(Cluster cluster, MigrationVersion target) {
        return Flyway.configure()
                .dataSource(cluster.dataSource())
                .schemas("scheduler")
                .table("schema_history")
                .locations("classpath:dev/distributedscheduler/schema")
                .target(target)
                .load();
    }

    private static void startAll(Cluster cluster) {
        try (cluster) {
            for (int i = 0; i < REPLICAS; i++) {
                cluster.start(Map.of());
            }
            long start = System.nanoTime();
            cluster.awaitJoined(Duration.ofSeconds(180));
            Report.figure("all joined", Duration.ofNanos(System.nanoTime() - start));
            cluster.watch();
            Period period = Period.after(cluster.now(), Duration.ofSeconds(3));
            Invariants.over(period, cluster).hold();

            assertThat(cluster.live()).hasSize(REPLICAS);
            assertThat(cluster.live())
                    .allSatisfy(replica -> assertThat(replica.log()).doesNotContain(" ERROR ", "Exception"));
            assertThat(cluster.live().stream().filter(replica -> replica.log().contains("is at version")))
                    .as("those that migrated")
                    .isNotEmpty();
            assertThat(cluster.sql()
                            .sql("select count(*) from scheduler.schema_history where not success")
                            .query(Integer.class)
                            .single())
                    .isZero();
        }
    }
}
