package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The database takes no more writes, because its disk is full (53100) or because it is a standby (25006). */
class FullDiskScenarios {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Map<String, String> SETTINGS = Map.of(
            "distributed-scheduler.leader.lease", LEASE.toSeconds() + "s",
            "distributed-scheduler.node.lease", LEASE.toSeconds() + "s");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /**
     * Queue and history are on a small file system of their own; the server's log is not, or it would stop altogether, which
     * is another scenario.
     */
    @Scenario(18)
    void diskIsFull() throws IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeThat(Shell.succeeds(List.of("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString())))
                .as("a file system of limited size can be mounted")
                .isTrue();
        try (Cluster cluster = new Cluster(directory, SETTINGS)) {
            Path space = Files.createDirectory(disk.resolve("space"));
            moveTo(space, cluster);
            cluster.start(2);
            Instant start = Period.firstSecondAfter(cluster.now());
            cluster.awaitTime(start.plusSeconds(1));

            Path filler = disk.resolve("filler");
            fill(filler);
            await("failures")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> cluster.live().stream()
                            .anyMatch(replica -> replica.log().contains("No space left on device")));
            cluster.awaitTime(cluster.now().plusSeconds(3));
            Files.delete(filler);
            long freed = System.nanoTime();

            drains(start, freed, cluster);
        } finally {
            Shell.run(List.of("umount", disk.toString()));
        }
    }

    @Scenario(18)
    void databaseIsReadOnly(Chance chance) throws SQLException {
        try (Cluster cluster = new Cluster(directory, SETTINGS)) {
            cluster.start(2);
            Instant start = Period.firstSecondAfter(cluster.now());
            cluster.awaitTime(start.plusSeconds(1).plus(chance.within(Duration.ofSeconds(1))));

            becomeReadOnly(true, cluster);
            await("failures")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> cluster.live().stream()
                            .anyMatch(replica -> replica.log().contains("in a read-only transaction")));
            cluster.awaitTime(cluster.now().plusSeconds(3));
            becomeReadOnly(false, cluster);
            long freed = System.nanoTime();

            drains(start, freed, cluster);
        }
    }

    /** Nothing is lost, and no handler was called again while its node had its lease. */
    private static void drains(Instant start, long freed, Cluster cluster) {
        Period period = new Period(start, Period.firstSecondAfter(cluster.now().plusSeconds(1)));
        Invariants invariants = Invariants.over(period, cluster).hold();
        Report.figure("drained", Duration.ofNanos(System.nanoTime() - freed));
        assertThat(invariants.ledger().repetitions()).isEmpty();
    }

    private static void moveTo(Path space, Cluster cluster) {
        cluster.sql()
                .sql("create tablespace small location '%s'".formatted(space))
                .update();
        List<String> tables = cluster.sql().sql("""
                        select inhrelid::regclass::text from pg_inherits where inhparent = 'scheduler.execution'::regclass
                        union all
                        select 'scheduler.run'
                        """).query(String.class).list();
        tables.forEach(table -> cluster.sql()
                .sql("alter table %s set tablespace small".formatted(table))
                .update());
    }

    private static void fill(Path file) {
        byte[] block = new byte[4_096];
        try (OutputStream filler = Files.newOutputStream(file)) {
            for (int i = 0; i < 1 << 20; i++) {
                filler.write(block);
            }
        } catch (IOException full) {
            return;
        }
        throw new UncheckedIOException(new IOException("The disk was never full"));
    }

    /** As a failover does it: sessions are cut, and new ones find the other state. */
    private static void becomeReadOnly(boolean readOnly, Cluster cluster) throws SQLException {
        try (Connection connection = cluster.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set session characteristics as transaction read write");
            statement.execute("alter database %s set default_transaction_read_only = %s"
                    .formatted(connection.getCatalog(), readOnly));
            statement.execute("""
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """);
        }
    }
}
