package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.app.Troubled.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Handlers run out of memory or stack, throw what cannot be recorded as it is, or hear no interrupt. */
class HandlerTroubleScenarios {

    private static final int SLOTS = 2;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** Every run is recorded, each node lives on under its id, and no slot is lost. */
    @Scenario(12)
    void everyFailureIsRecordedAndCostsNothingElse() {
        Map<String, String> settings = Map.of(
                "faults.jobs",
                "3",
                "distributed-scheduler.node.lease",
                "6s",
                "distributed-scheduler.worker.concurrency",
                Integer.toString(SLOTS),
                "distributed-scheduler.worker.stuck-after",
                "500ms");
        try (Cluster cluster = new Cluster(directory, settings).start(2)) {
            Map<String, ?> nodes = cluster.nodes();
            Period period = Period.after(cluster.now(), Duration.ofSeconds(8));
            Map<Long, Trouble> runs = new HashMap<>();
            for (Trouble trouble : Trouble.values()) {
                List<String> payloads = Arrays.asList("\"%s\"".formatted(trouble), "\"%s\"".formatted(trouble));
                cluster.enqueue("troubled", payloads).forEach(run -> runs.put(run, trouble));
            }
            List<Long> deaf = cluster.enqueue("deaf", SLOTS);

            runs.forEach((run, trouble) -> await("%s in run %d".formatted(trouble, run))
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(cluster.history().outcomesOf(run)).containsExactly("1 FAILED")));
            await("reports of stuck handlers")
                    .until(() -> cluster.live().stream().map(Replica::log).anyMatch(log -> log.contains("deaf")));
            deaf.forEach(run -> cluster.letGo(run, 1));
            deaf.forEach(run -> await("deaf run " + run)
                    .untilAsserted(
                            () -> assertThat(cluster.history().outcomesOf(run)).containsExactly("1 TIMED_OUT")));
            List<Long> quick = cluster.enqueue("quick", 100);
            quick.forEach(run -> await("run " + run)
                    .untilAsserted(
                            () -> assertThat(cluster.history().outcomesOf(run)).containsExactly("1 COMPLETED")));

            Invariants.over(period, cluster).hold();
            assertThat(cluster.nodes()).as("no node was expelled").isEqualTo(nodes);
            assertThat(deadLetters(cluster)).isEqualTo(runs.size() + deaf.size());
            Report.figure("failures recorded,", runs.size() + deaf.size());
        }
    }

    private static int deadLetters(Cluster cluster) {
        return cluster.sql()
                .sql("select count(*) from scheduler.dead_letter")
                .query(Integer.class)
                .single();
    }
}
