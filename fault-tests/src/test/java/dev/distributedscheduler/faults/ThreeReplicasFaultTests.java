package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas, twenty jobs, no fault at all: {@code -Dfaults.seconds=60 -Dfaults.jobs=200} makes it longer and larger.
 *
 * <p>Checked by hand with all three made to dispatch at once, without fence and row locks: no tick is doubled as long as
 * {@code ScheduleStore.advance} moves a schedule only from where it was seen, and ticks are when it does not ask. The unique
 * index alone does not prevent that, because it knows live runs only.
 */
class ThreeReplicasFaultTests {

    private static final int JOBS = Integer.getInteger("faults.jobs", 20);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("faults.seconds", 15));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void everyJobRunsEverySecondExactlyOnce() {
        try (Cluster cluster = new Cluster(directory, Map.of("faults.jobs", Integer.toString(JOBS))).start(3)) {
            Period period = Period.after(cluster.now(), LENGTH);

            Invariants invariants = Invariants.over(period, cluster).hold();

            Ledger ledger = invariants.ledger();
            assertThat(ledger.entries()).hasSize(JOBS * Math.toIntExact(LENGTH.toSeconds()));
            assertThat(ledger.repetitions()).isEmpty();
            assertThat(ledger.countByNode()).containsOnlyKeys("replica-1", "replica-2", "replica-3");
            Report.line(
                    "three replicas: %d runs of %d jobs in %d s, each once: %s; started after their tick: %s",
                    ledger.entries().size(),
                    JOBS,
                    LENGTH.toSeconds(),
                    ledger.countByNode(),
                    cluster.history().lateness(period));
        }
    }
}
