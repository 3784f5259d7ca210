package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@PostgresTest
@Timeout(30)
class NodeStoreIntegrationTests {

    private static final Duration TTL = Duration.ofHours(1);

    private final DataSource dataSource;
    private TestTables tables;
    private NodeStore nodes;

    NodeStoreIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noNodes() {
        tables = new TestTables(dataSource);
        nodes = new NodeStore(tables.database());
    }

    private Instant leaseUntil() {
        return tables.instant("select lease_until from scheduler.node");
    }

    @Test
    void registeringTwiceIsHarmless() {
        Node node = new Node(UUID.randomUUID(), "web-1", "1.2", true, false, Set.of("report"), Declared.NOTHING);

        nodes.register(node, TTL);
        nodes.register(node, TTL);

        assertThat(tables.texts("""
                select concat_ws(' ', id, name, version, dispatcher, worker, jobs, draining) from scheduler.node
                """)).containsExactly(node.id() + " web-1 1.2 t f {report} f");
    }

    /** The first reply got lost; the node trusts its lease from when it asked again. */
    @Test
    void registeringAgainExtendsTheLease() {
        Node node = new Node(UUID.randomUUID(), "web-1", null, true, true, Set.of(), Declared.NOTHING);
        nodes.register(node, Duration.ofSeconds(1));

        nodes.register(node, TTL);

        assertThat(leaseUntil()).isAfter(tables.now().plus(TTL.dividedBy(2)));
    }

    @Test
    void heartbeatExtendsTheLease() {
        UUID node = tables.node();
        tables.expire(node);
        Instant before = leaseUntil();

        assertThat(nodes.heartbeat(node, TTL)).isPresent();

        assertThat(Duration.between(before, leaseUntil())).isGreaterThanOrEqualTo(TTL);
    }

    @Test
    void heartbeatCountsTheNodesThatTakeWork() {
        UUID node = tables.node();
        tables.node();
        nodes.startDraining(tables.node());
        tables.expire(tables.node());
        nodes.register(new Node(UUID.randomUUID(), "leads only", null, true, false, Set.of(), Declared.NOTHING), TTL);

        assertThat(nodes.heartbeat(node, TTL)).hasValue(new NodeStore.Pulse(2, 0, List.of()));
    }

    @Test
    void heartbeatOfAnExpelledNodeFindsNothing() {
        UUID node = tables.node();
        tables.expire(node);
        assertThat(nodes.expelExpired()).containsExactly(node);

        assertThat(nodes.heartbeat(node, TTL)).isEmpty();
        assertThat(tables.count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void onlyNodesWhoseLeaseHasRunOutAreExpelled() {
        UUID alive = tables.node();
        UUID dead = tables.node();
        UUID alsoDead = tables.node();
        tables.expire(dead);
        tables.expire(alsoDead);

        assertThat(nodes.expelExpired()).containsExactlyInAnyOrder(dead, alsoDead);
        assertThat(nodes.expelExpired()).isEmpty();
        assertThat(tables.texts("select id from scheduler.node")).containsExactly(alive.toString());
    }

    @Test
    void nodeThatLeavesIsGone() {
        nodes.deregister(tables.node());

        assertThat(tables.count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void claimUnderWayHoldsItsNodeAgainstExpulsion() throws SQLException {
        tables.ready("job");
        UUID node = tables.node("job");
        try (OpenTransaction claim = new OpenTransaction(dataSource)) {
            assertThat(new RunQueue(claim.database()).claim(node, "default", Set.of("job"), 1))
                    .hasSize(1);
            tables.expire(node);

            assertThat(nodes.expelExpired()).isEmpty();

            claim.commit();
        }
        assertThat(nodes.expelExpired()).containsExactly(node);
        assertThat(new RunQueue(tables.database()).lockRunsOfLostNodes(10)).hasSize(1);
    }

    @Test
    void heartbeatThatComesFirstKeepsTheNode() throws SQLException {
        UUID node = tables.node();
        tables.expire(node);
        try (OpenTransaction heartbeat = new OpenTransaction(dataSource)) {
            assertThat(new NodeStore(heartbeat.database()).heartbeat(node, TTL)).isPresent();

            assertThat(nodes.expelExpired()).isEmpty();

            heartbeat.commit();
        }
        assertThat(nodes.expelExpired()).isEmpty();
    }

    @Test
    void expulsionThatComesFirstRefusesTheHeartbeat() throws SQLException {
        UUID node = tables.node();
        tables.expire(node);
        try (OpenTransaction expulsion = new OpenTransaction(dataSource)) {
            assertThat(new NodeStore(expulsion.database()).expelExpired()).isEqualTo(List.of(node));
            CompletableFuture<Optional<NodeStore.Pulse>> heartbeat =
                    CompletableFuture.supplyAsync(() -> nodes.heartbeat(node, TTL));
            tables.awaitWaiter();

            expulsion.commit();

            assertThat(heartbeat.join()).isEmpty();
        }
    }

    @Test
    void heartbeatDoesNotWaitForTheNodesOwnClaim() throws SQLException {
        tables.ready("job");
        UUID node = tables.node("job");
        try (OpenTransaction claim = new OpenTransaction(dataSource);
                DedicatedDataSource vital = new DedicatedDataSource(dataSource, Duration.ofSeconds(5))) {
            new RunQueue(claim.database()).claim(node, "default", Set.of("job"), 1);

            assertThat(new NodeStore(new Database(vital, Database.DEFAULT_SCHEMA)).heartbeat(node, TTL))
                    .isPresent();
        }
    }
}
