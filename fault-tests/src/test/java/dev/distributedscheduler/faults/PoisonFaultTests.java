package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.History.Execution;
import dev.distributedscheduler.faults.app.Enqueued;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run that ends every JVM which executes it; the test starts new ones, as an orchestrator would.
 *
 * <p>Checked by hand: fails when {@code Outcome.usesUpAttempt} leaves LOST out, because the run is tried for ever.
 */
class PoisonFaultTests {

    private static final int REPLICAS = 2;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(11)
    void runThatHaltsItsJvmDiesAfterItsAttemptsAndTheOthersGoOn() {
        Map<String, String> settings = Map.of("faults.jobs", "0", "distributed-scheduler.node.lease", "3s");
        try (Cluster cluster = new Cluster(directory, settings).start(REPLICAS)) {
            Instant enqueued = cluster.now();
            long poison = cluster.enqueue("poison", 1).get(0);
            List<Long> others = new ArrayList<>(cluster.enqueue("quick", 20));

            await("the death of the run").atMost(Duration.ofSeconds(60)).until(() -> {
                cluster.replaceTheDead(REPLICAS);
                return isDead(poison, cluster);
            });
            Duration untilDead = Duration.between(enqueued, cluster.now());
            others.addAll(cluster.enqueue("quick", 20));
            await("the others")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> completed(cluster).containsAll(others));

            assertThat(cluster.history().outcomesOf(poison)).containsExactly("1 LOST", "2 LOST");
            assertThat(cluster.ledger().of("poison").begins()).hasSize(Enqueued.POISON_ATTEMPTS);
            assertThat(cluster.ledger().of("poison").entries()).isEmpty();
            assertThat(completed(cluster)).containsExactlyInAnyOrderElementsOf(others);
            Report.figure("dead", untilDead);
            Report.line(
                    "poison: dead after %d attempts, %d JVMs and %.2f s; %d other runs completed",
                    Enqueued.POISON_ATTEMPTS, Enqueued.POISON_ATTEMPTS, seconds(untilDead), others.size());
        }
    }

    private static boolean isDead(long run, Cluster cluster) {
        return cluster.sql()
                .sql("""
                        select exists (select from scheduler.dead_letter
                                       where run_id = :run and outcome = 'LOST' and attempts = :attempts)
                        """)
                .param("run", run)
                .param("attempts", Enqueued.POISON_ATTEMPTS)
                .query(Boolean.class)
                .single();
    }

    private static List<Long> completed(Cluster cluster) {
        return cluster.history().of("quick").stream()
                .filter(execution -> execution.outcome().equals("COMPLETED"))
                .map(Execution::run)
                .toList();
    }
}
