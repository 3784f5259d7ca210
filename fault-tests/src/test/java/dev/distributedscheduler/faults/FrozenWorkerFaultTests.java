package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.app.LedgerBegin;
import dev.distributedscheduler.faults.app.LedgerEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker freezes in the middle of a run, longer than its lease, and wakes while another one executes that run.
 *
 * <p>Checked by hand: fails when {@code RunHistory} accepts results without comparing the token.
 */
class FrozenWorkerFaultTests {

    private static final Duration LEASE = Duration.ofSeconds(3);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(4)
    void lateResultIsRefusedAndTheSecondAttemptStands() {
        Map<String, String> settings = Map.of(
                "faults.jobs", "0", "faults.slow", "4s", "distributed-scheduler.node.lease", LEASE.toSeconds() + "s");
        try (Cluster cluster = new Cluster(directory, settings)) {
            cluster.start(Map.of("distributed-scheduler.worker.enabled", "false"));
            cluster.start(Map.of("distributed-scheduler.dispatch.enabled", "false"));
            cluster.start(Map.of("distributed-scheduler.dispatch.enabled", "false"));
            Replica first = cluster.replica(awaitExecutorOfAttempt(1, cluster));
            first.freeze();
            Instant frozen = cluster.now();

            String second = awaitExecutorOfAttempt(2, cluster);
            Duration untilSecond = Duration.between(frozen, cluster.now());
            first.resume();
            await("the late result in the history")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> cluster.history().outcomesOf("slow").contains("1 STALE"));
            assertThat(executorOfAttempt(2, cluster)).as("still at it").contains(second);

            await("the end of the second attempt")
                    .atMost(Duration.ofSeconds(15))
                    .until(() -> executorOfAttempt(2, cluster).isEmpty());
            assertThat(cluster.history().outcomesOf("slow")).containsExactly("1 LOST", "1 STALE", "2 COMPLETED");
            List<LedgerEntry> executions = cluster.ledger().of("slow").entries().stream()
                    .sorted(Comparator.comparing(LedgerEntry::token))
                    .toList();
            assertThat(executions).extracting(LedgerEntry::attempt).containsExactly(1, 2);
            assertThat(executions).extracting(LedgerEntry::node).containsExactly(first.name(), second);
            assertThat(executions)
                    .extracting(LedgerEntry::run)
                    .containsOnly(executions.get(0).run());
            assertThat(first.log()).contains("the result of attempt 1 came too late and was refused");
            Report.figure("recovery", untilSecond);
            Report.line("worker SIGSTOP: its run began again elsewhere after %.2f s", seconds(untilSecond));
        }
    }

    /** By the ledger: a node that freezes between claim and begin would never begin. */
    private static String awaitExecutorOfAttempt(int attempt, Cluster cluster) {
        return await("attempt " + attempt)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> cluster.ledger().of("slow").begins().stream()
                                .filter(begin -> begin.attempt() == attempt)
                                .map(LedgerBegin::node)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<String> executorOfAttempt(int attempt, Cluster cluster) {
        return cluster.sql()
                .sql("""
                        select n.name from scheduler.run r join scheduler.node n on n.id = r.node_id
                        where r.job = 'slow' and r.state = 'RUNNING' and r.attempt = :attempt
                        """)
                .param("attempt", attempt)
                .query(String.class)
                .optional();
    }
}
