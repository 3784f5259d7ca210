package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.Proxy.LostReplies;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server has done what it was asked to, and committed; the connection breaks before it can say so. Whoever asked does not
 * know, and what it does then must neither lose nor double anything.
 *
 * <p>The driver prepares no statements here, so that each request bears its text.
 */
class LostReplyScenarios {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final int RUNS = 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;
    private static Proxy network;

    private Instant start;

    @BeforeAll
    static void startTwoReplicas() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.jobs",
                        "10",
                        "distributed-scheduler.leader.lease",
                        LEASE.toSeconds() + "s",
                        "distributed-scheduler.node.lease",
                        LEASE.toSeconds() + "s",
                        "spring.datasource.hikari.data-source-properties.prepareThreshold",
                        "0"));
        cluster.sql()
                .sql("create table effect (run bigint not null, attempt integer not null)")
                .update();
        network = cluster.network();
        cluster.startBehind(network, Map.of());
        cluster.startBehind(network, Map.of());
    }

    @AfterAll
    static void close() {
        cluster.close();
        network.close();
    }

    @BeforeEach
    void awaitPeace() {
        cluster.awaitJoined();
        start = Period.firstSecondAfter(cluster.now());
        cluster.awaitTime(start.plusSeconds(1));
    }

    @Scenario(19)
    void ofADispatch(Chance chance) {
        loseReplies("insert into scheduler.run", chance);
    }

    /** The commit of a fenced transaction of the leader, mostly. */
    @Scenario(19)
    void ofACommit(Chance chance) {
        loseReplies("COMMIT", chance);
    }

    @Scenario(19)
    void ofAClaim(Chance chance) {
        loseReplies("set state = 'RUNNING'", chance);
    }

    @Scenario(19)
    void ofACompletion(Chance chance) {
        loseReplies("delete from scheduler.run", chance);
    }

    @Scenario(19)
    void ofARenewal(Chance chance) {
        loseReplies("update scheduler.leader", chance);
    }

    @Scenario(19)
    void ofAHeartbeat(Chance chance) {
        loseReplies("update scheduler.node", chance);
    }

    /** Its effects are there once, although it may have been executed again. */
    @Scenario(19)
    void ofTheCommitOfATransactionalJob() {
        List<Long> runs = cluster.enqueue("transactional", RUNS);
        runs.forEach(run -> {
            cluster.letGo(run, 1);
            cluster.letGo(run, 2);
        });
        LostReplies lost = network.loseRepliesTo("COMMIT", RUNS / 2);

        await("all effects")
                .atMost(Duration.ofSeconds(40))
                .until(() -> runs.stream()
                        .allMatch(run -> cluster.history().outcomesOf(run).stream()
                                .anyMatch(outcome -> outcome.endsWith("COMPLETED"))));
        assertThat(cluster.sql()
                        .sql("select count(*) from effect where run = any(:runs)")
                        .param("runs", runs.toArray(Long[]::new))
                        .query(Integer.class)
                        .single())
                .isEqualTo(RUNS);
        invariantsHold();
        Report.figure("lost replies,", lost.done());
    }

    private void loseReplies(String statement, Chance chance) {
        List<Long> runs = cluster.enqueue("quick", RUNS);
        cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
        LostReplies lost = network.loseRepliesTo(statement, 5);
        await("lost replies").atMost(LEASE.multipliedBy(4)).until(() -> lost.done() >= 3);

        invariantsHold();
        for (long run : runs) {
            await("run " + run)
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(cluster.history().outcomesOf(run))
                            .as("one accepted outcome")
                            .filteredOn(outcome -> outcome.endsWith("COMPLETED"))
                            .hasSize(1));
        }
        Report.figure("lost replies,", lost.done());
    }

    private void invariantsHold() {
        Invariants.over(new Period(start, Period.firstSecondAfter(cluster.now().plusSeconds(1))), cluster)
                .hold();
    }
}
