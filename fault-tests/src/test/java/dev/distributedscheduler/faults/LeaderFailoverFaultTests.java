package dev.distributedscheduler.faults;

import static dev.distributedscheduler.faults.Report.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.DispatchWitness.Dispatch;
import dev.distributedscheduler.faults.HeldLock.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The leader goes, in four ways, and no tick is lost or doubled.
 *
 * <p>Twenty jobs tick every second, and one every 100 ms, which is the resolution of the times that are measured. The lease
 * is long enough that a successor within 3 s cannot owe it to the lease's end.
 */
class LeaderFailoverFaultTests {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration BEFORE = Duration.ofSeconds(1);
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;

    private Replica leader;
    private long term;
    private Instant start;

    @BeforeAll
    static void create() {
        cluster = new Cluster(
                directory,
                Map.of(
                        "faults.often", "100ms",
                        "distributed-scheduler.leader.lease", LEASE.toSeconds() + "s",
                        "distributed-scheduler.node.lease", LEASE.toSeconds() + "s"));
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @BeforeEach
    void threeReplicasWorkInPeace() {
        cluster.start(3);
        start = Period.firstSecondAfter(cluster.now());
        cluster.awaitTime(start.plus(BEFORE));
        leader = cluster.leader();
        term = cluster.term();
    }

    /** Checked by hand: fails when {@code Leading.stop} does not release the lease. */
    @Scenario(1)
    void leaderThatIsShutDownHandsOver(Chance chance) {
        awaitMoment(chance);
        Instant signalled = cluster.now();
        leader.terminate();

        Dispatch next = successorDispatches();
        leader.awaitExit(Duration.ofSeconds(10));
        Invariants invariants = Invariants.over(untilNow(), cluster).hold();

        assertThat(cluster.witness().pauseAfter(term)).isLessThan(Duration.ofSeconds(1));
        assertThat(leader.log()).contains("no longer leads (term %d): released".formatted(term));
        assertThat(invariants.ledger().repetitions()).isEmpty();
        report("SIGTERM", signalled, next);
    }

    /** Checked by hand: fails when {@code LeaseStore.acquire} does not look whether the leader's session is gone. */
    @Scenario(1)
    void leaderThatIsKilledIsReplacedBeforeItsLeaseEnds(Chance chance) {
        awaitMoment(chance);
        Instant signalled = cluster.now();
        leader.kill();

        Dispatch next = successorDispatches();
        Invariants.over(untilNow(), cluster).hold();

        assertThat(Duration.between(signalled, next.at())).isLessThan(Duration.ofSeconds(3));
        report("SIGKILL", signalled, next);
    }

    /**
     * The leader freezes where only the term can stop it: it has found ticks to be due and believes in its lease, but has not
     * begun the transaction. Its successor is held up too when it wakes, so that there are ticks for it to take.
     *
     * <p>Checked by hand: fails when {@code LeaseStore.fence} does not ask for the term.
     */
    @Scenario(2)
    void leaderThatWakesAfterItsLeaseWritesNothing(Chance chance) {
        awaitMoment(chance);
        int session = freezeWhenStoppedBy("scheduler.schedule", Mode.NO_READS);
        Instant frozen = cluster.now();

        Dispatch next = successorDispatches();
        Replica successor = cluster.leader();
        successor.freeze();
        await("all ticks overdue").until(() -> cluster.timetable().overdue() > 20);
        Instant resumed = cluster.now();
        leader.resume();
        awaitEndOfLeadership(session);
        successor.resume();
        Invariants.over(untilNow(), cluster).hold();

        assertThat(cluster.witness().all())
                .noneMatch(dispatch ->
                        dispatch.session() == session && dispatch.at().isAfter(resumed));
        assertThat(Duration.between(frozen, next.at())).isLessThan(LEASE.plusSeconds(2));
        report("SIGSTOP", frozen, next);
    }

    /**
     * The leader freezes with its transaction open, the term locked and the runs written: the server must end that for it.
     *
     * <p>Checked by hand: fails when {@code LeaseStore.fence} does not set {@code idle_in_transaction_session_timeout}.
     */
    @Scenario(2)
    void leaderThatFreezesInsideItsTransactionDoesNotHoldUpItsSuccessor(Chance chance) {
        awaitMoment(chance);
        int session = freezeWhenStoppedBy("scheduler.run", Mode.NO_WRITES);
        Instant frozen = cluster.now();

        Dispatch next = successorDispatches();
        Instant resumed = cluster.now();
        leader.resume();
        awaitEndOfLeadership(session);
        Invariants.over(untilNow(), cluster).hold();

        assertThat(cluster.witness().all())
                .noneMatch(dispatch ->
                        dispatch.session() == session && dispatch.at().isAfter(resumed));
        assertThat(Duration.between(frozen, next.at())).isLessThan(LEASE.plusSeconds(2));
        report("SIGSTOP inside its transaction", frozen, next);
    }

    private static void awaitMoment(Chance chance) {
        cluster.awaitTime(cluster.now().plus(chance.within(Duration.ofSeconds(1))));
    }

    /** Returns the database session in which the leader dispatched. */
    private int freezeWhenStoppedBy(String table, Mode mode) {
        int session = cluster.witness().lastOf(term).session();
        try (HeldLock lock = cluster.lock(table, mode)) {
            await("the leader's dispatch to wait").until(() -> lock.isAwaitedBy(session));
            leader.freeze();
        }
        return session;
    }

    /** The old leader knows, and has closed the session in which it dispatched: whatever it was about to write is written. */
    private void awaitEndOfLeadership(int session) {
        await("the old leader to notice").until(() -> leader.log().contains("no longer leads (term " + term + ")"));
        await("the end of its session").until(() -> !cluster.hasSession(session));
    }

    private Dispatch successorDispatches() {
        return await("a successor to dispatch")
                .atMost(LEASE.plusSeconds(10))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cluster.witness().firstAfter(term), next -> next.isPresent())
                .orElseThrow();
    }

    private Period untilNow() {
        return new Period(start, Period.firstSecondAfter(cluster.now().plus(AFTERWARDS)));
    }

    private void report(String signal, Instant signalled, Dispatch next) {
        Report.figure("successor after " + signal, Duration.between(signalled, next.at()));
        Report.line(
                "leader %s: next tick after %.2f s; nothing was dispatched for %.2f s",
                signal,
                seconds(Duration.between(signalled, next.at())),
                seconds(cluster.witness().pauseAfter(term)));
    }
}
