package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.HeartbeatSent;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.TestTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@PostgresTest
class NodeHeartbeatIntegrationTests {

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final DataSource dataSource;
    private final Deadlines deadlines = new Deadlines();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private volatile boolean down;
    private TestTables tables;
    private NodeHeartbeat heartbeat;

    NodeHeartbeatIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
        heartbeat = heartbeat(LEASE);
    }

    @AfterEach
    void close() {
        deadlines.close();
    }

    private NodeHeartbeat heartbeat(Duration lease) {
        DataSource troubled = new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                if (down) {
                    throw new SQLException("down");
                }
                return super.getConnection();
            }
        };
        return new NodeHeartbeat(
                new NodeStore(new Database(troubled, Database.DEFAULT_SCHEMA)),
                new NodeSettings("web-1", null, lease),
                id -> new Node(id, "web-1", null, true, true, Set.of("job"), Declared.NOTHING),
                deadlines,
                events::add);
    }

    private UUID liveId() {
        return heartbeat.liveNode().orElseThrow();
    }

    @Test
    void firstRoundJoins() {
        assertThat(heartbeat.liveNode()).isEmpty();

        assertThat(heartbeat.round()).isEqualTo(LEASE.dividedBy(3));

        assertThat(tables.texts("select id from scheduler.node")).containsExactly(liveId().toString());
        assertThat(events).containsExactly(new NodeJoined(liveId(), "web-1", Set.of("job")));
    }

    @Test
    void laterRoundsRenewAndCount() {
        heartbeat.round();
        UUID id = liveId();
        tables.node();
        Instant before = tables.instant("select min(lease_until) from scheduler.node");

        assertThat(heartbeat.round()).isEqualTo(LEASE.dividedBy(3));

        assertThat(liveId()).isEqualTo(id);
        assertThat(heartbeat.liveWorkers()).isEqualTo(2);
        assertThat(tables.instant("select min(lease_until) from scheduler.node"))
                .isAfter(before);
        assertThat(events).hasSize(2);
        assertThat(events.get(1))
                .isInstanceOfSatisfying(
                        HeartbeatSent.class, sent -> assertThat(sent.nodeId()).isEqualTo(id));
        assertThat(heartbeat.sinceHeartbeat()).isBetween(Duration.ZERO, LEASE.dividedBy(3));
    }

    @Test
    void laterRoundsTellTheNewestDeploymentOfTheLiveNodes() {
        List<Long> told = new ArrayList<>();
        heartbeat.whenDeployed(told::add);
        heartbeat.round();
        assertThat(told).isEmpty(); // joining, it asks nothing

        tables.execute("update scheduler.node set deployment = 3");
        UUID other = tables.node();
        heartbeat.round();
        tables.execute("update scheduler.node set deployment = 5 where id = '%s'".formatted(other));
        heartbeat.round();
        tables.expire(other);
        heartbeat.round();

        assertThat(told).containsExactly(3L, 5L, 3L);
    }

    @Test
    void expelledNodeComesBackUnderANewId() {
        heartbeat.whenLost(() -> 3);
        heartbeat.round();
        UUID old = liveId();
        tables.expire(old);
        new NodeStore(tables.database()).expelExpired();

        assertThat(heartbeat.round()).isZero();
        assertThat(heartbeat.liveNode()).isEmpty();
        heartbeat.round();

        assertThat(liveId()).isNotEqualTo(old);
        assertThat(tables.texts("select id from scheduler.node")).containsExactly(liveId().toString());
        assertThat(events)
                .containsExactly(
                        new NodeJoined(old, "web-1", Set.of("job")),
                        new NodeLeaseLost(old, 3),
                        new NodeJoined(liveId(), "web-1", Set.of("job")));
    }

    @Test
    void attemptsAreCutBeforeTheLeaseEnds() {
        AtomicReference<Duration> left = new AtomicReference<>();
        Attempt attempt = new Attempt(tables.running("job"), 0);
        heartbeat.whenLost(() -> {
            boolean cut = attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime());
            assertThat(heartbeat.liveNode()).isEmpty();
            left.set(Duration.between(
                    tables.instant("select clock_timestamp()"),
                    tables.instant("select lease_until from scheduler.node where name = 'web-1'")));
            return cut ? 1 : 0;
        });
        heartbeat.round();
        UUID id = liveId();
        down = true;
        assertThatThrownBy(heartbeat::round).hasRootCauseMessage("down");
        assertThat(liveId()).isEqualTo(id);

        await().until(() -> events.contains(new NodeLeaseLost(id, 1)));

        assertThat(left.get()).isPositive();
        assertThat(attempt.begin(System.nanoTime())).isFalse();
    }

    /** A claim may have been answered in between. */
    @Test
    void expulsionCutsAgainAfterTheLeaseWasLostAndIsToldOnce() {
        AtomicInteger cuts = new AtomicInteger();
        heartbeat = heartbeat(Duration.ofSeconds(1));
        heartbeat.whenLost(cuts::incrementAndGet);
        heartbeat.round();
        UUID id = liveId();
        await().until(() -> events.contains(new NodeLeaseLost(id, 1)));
        tables.expire(id);
        new NodeStore(tables.database()).expelExpired();

        heartbeat.round();

        assertThat(cuts).hasValue(2);
        assertThat(events).containsExactly(new NodeJoined(id, "web-1", Set.of("job")), new NodeLeaseLost(id, 1));
    }

    @Test
    void nodeThatWasOnlyCutOffGoesOnUnderItsIdWhenNobodyExpelledIt() {
        heartbeat = heartbeat(Duration.ofSeconds(1));
        heartbeat.round();
        UUID id = liveId();
        await().until(() -> events.contains(new NodeLeaseLost(id, 0)));
        assertThat(heartbeat.liveNode()).isEmpty();

        heartbeat.round();

        assertThat(liveId()).isEqualTo(id);
    }

    @Test
    void renewalCallsTheDeadlineOff() {
        heartbeat = heartbeat(Duration.ofSeconds(1));
        heartbeat.round();
        UUID id = liveId();
        long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();

        await().pollInterval(Duration.ofMillis(200)).until(() -> {
            heartbeat.round();
            return System.nanoTime() > end;
        });

        assertThat(events).noneMatch(NodeLeaseLost.class::isInstance);
    }

    @Test
    void drainingNodeIsShownAndStaysAlive() {
        heartbeat.round();

        heartbeat.drain();

        assertThat(tables.texts("select draining from scheduler.node")).containsExactly("t");
        assertThat(heartbeat.liveNode()).isPresent();
    }

    @Test
    void nodeThatHoldsNothingLeavesNoRow() {
        heartbeat.round();

        heartbeat.leave(true);

        assertThat(heartbeat.liveNode()).isEmpty();
        assertThat(tables.count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void nodeThatStillHoldsRunsLeavesItsRowToProtectThem() {
        heartbeat.round();
        ClaimedRun held = heldRun();

        heartbeat.leave(false);

        assertThat(heartbeat.liveNode()).isEmpty();
        assertThat(tables.texts("select id from scheduler.node"))
                .containsExactly(held.nodeId().toString());
    }

    private ClaimedRun heldRun() {
        tables.ready("job");
        return tables.claim(liveId(), "job");
    }
}
