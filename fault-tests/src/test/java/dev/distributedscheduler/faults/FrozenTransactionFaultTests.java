package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker freezes with its job's writes in an open transaction, longer than its lease, and wakes while another one executes
 * the run. Its writes are not committed, and its transaction does not keep the other one waiting.
 */
class FrozenTransactionFaultTests {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration TO_RECOVER = LEASE.plusSeconds(5);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;

    @BeforeAll
    static void startLeaderAndTwoWorkers() {
        cluster = new Cluster(
                directory, Map.of("faults.jobs", "0", "distributed-scheduler.node.lease", LEASE.toSeconds() + "s"));
        cluster.sql()
                .sql("create table effect (run bigint not null, attempt integer not null)")
                .update();
        cluster.start(Map.of("distributed-scheduler.worker.enabled", "false"));
        cluster.start(Map.of("distributed-scheduler.dispatch.enabled", "false"));
        cluster.start(Map.of("distributed-scheduler.dispatch.enabled", "false"));
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @BeforeEach
    void awaitAll() {
        cluster.awaitJoined();
    }

    /**
     * It freezes where only the token can stop it: the job has ended, nothing has interrupted it, and the completion is on its
     * way but has not looked at the run yet.
     *
     * <p>Checked by hand: fails when {@code RunHistory} compares the token neither in the statement nor in its answer, and when
     * the run is locked before the job begins.
     */
    @Scenario(4)
    void transactionalJobThatLostItsRunCommitsNothing() {
        long run = cluster.enqueue("transactional", 1).get(0);
        Replica first = awaitExecutor(run, 1);
        Duration untilSecond;
        try (CompletionGate gate = new CompletionGate(cluster, first)) {
            cluster.letGo(run, 1);
            gate.awaitArrival();
            untilSecond = freezeUntilSecondAttempt(first, run);
        }
        first.resume();

        secondAttemptStands(run, first);
        report("before its completion", untilSecond);
    }

    /**
     * It freezes when its completion holds the run's row and only the commit is missing: the server must end that for it.
     *
     * <p>Checked by hand: fails when {@code RunHistory.completeInTransaction} does not set
     * {@code idle_in_transaction_session_timeout}.
     */
    @Scenario(4)
    void transactionalJobThatFreezesBeforeItsCommitGivesTheRunFree() {
        long run = cluster.enqueue("transactional", 1).get(0);
        Replica first = awaitExecutor(run, 1);
        try (CompletionGate gate = new CompletionGate(cluster, first)) {
            cluster.letGo(run, 1);
            gate.awaitArrival();
            first.freeze();
        }
        Duration untilSecond = freezeUntilSecondAttempt(first, run);
        first.resume();

        secondAttemptStands(run, first);
        report("before its commit", untilSecond);
    }

    /** Checked by hand: fails when {@code RunQueue.owns} does not ask for the token. */
    @Scenario(4)
    void jobThatAssertsItsOwnershipCommitsNothingWithoutIt() {
        long run = cluster.enqueue("owned", 1).get(0);
        Replica first = awaitExecutor(run, 1);
        await("its transaction").until(() -> hasOpenTransaction(first));
        Duration untilSecond = freezeUntilSecondAttempt(first, run);
        cluster.letGo(run, 1);
        first.resume();

        secondAttemptStands(run, first);
        assertThat(cluster.ledger().of("owned").unended()).as("the refused one").hasSize(1);
        report("before it asserts its ownership", untilSecond);
    }

    private static Duration freezeUntilSecondAttempt(Replica first, long run) {
        first.freeze();
        Instant frozen = cluster.now();
        Replica second = awaitExecutor(run, 2);
        assertThat(second).isNotSameAs(first);
        return Duration.between(frozen, cluster.now());
    }

    private static Replica awaitExecutor(long run, int attempt) {
        return await("attempt %d of run %d".formatted(attempt, run))
                .atMost(TO_RECOVER)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cluster.ledger().executorOf(run, attempt), Optional::isPresent)
                .map(cluster::replica)
                .orElseThrow();
    }

    private static boolean hasOpenTransaction(Replica replica) {
        return cluster.sql()
                .sql("""
                        select exists (select from pg_stat_activity
                                       where application_name = :name and state = 'idle in transaction')
                        """)
                .param("name", replica.name())
                .query(Boolean.class)
                .single();
    }

    private static void secondAttemptStands(long run, Replica first) {
        await("the refusal in the history")
                .until(() -> cluster.history().outcomesOf(run).contains("1 STALE"));
        assertThat(cluster.history().outcomesOf(run))
                .as("the second is still at it")
                .containsExactly("1 LOST", "1 STALE");
        assertThat(first.log())
                .contains("run %d: the result of attempt 1 came too late and was refused".formatted(run));

        cluster.letGo(run, 2);
        await("the end of the second attempt")
                .until(() -> cluster.history().outcomesOf(run).size() == 3);
        assertThat(cluster.history().outcomesOf(run)).containsExactly("1 LOST", "1 STALE", "2 COMPLETED");
        assertThat(effectsOf(run)).as("attempts whose writes are there").containsExactly(2);
    }

    private static List<Integer> effectsOf(long run) {
        return cluster.sql()
                .sql("select attempt from effect where run = :run")
                .param("run", run)
                .query(Integer.class)
                .list();
    }

    private static void report(String where, Duration untilSecond) {
        Report.figure("recovery", untilSecond);
        Report.line(
                "transaction SIGSTOP %s: its run began again elsewhere after %.2f s, its writes are there once",
                where, seconds(untilSecond));
    }
}
