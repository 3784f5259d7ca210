package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.PartitionStore.Holding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Who may dispatch which partitions.
 *
 * <p>Checked by hand: {@code busyOwnerKeepsItsPartitions} fails when {@code hold} does not lock its row.
 */
@PostgresTest
@Timeout(60)
class PartitionStoreIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();
    private TestTables tables;
    private PartitionStore partitions;

    PartitionStoreIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noOwners() {
        tables = new TestTables(dataSource);
        tables.execute("truncate scheduler.partition_owner");
        partitions = new PartitionStore(tables.database());
    }

    private void register(UUID id, boolean dispatcher, boolean partitioned) {
        new NodeStore(tables.database())
                .register(
                        new Node(id, "n", null, dispatcher, true, Set.of(), new Declared(partitioned, null, Set.of())),
                        TestTables.HOUR);
    }

    private Set<UUID> lockToTakeFrom(UUID... nodes) {
        return tables.database().inTransaction(() -> partitions.lockToTakeFrom(List.of(nodes)));
    }

    @Test
    void ownerHoldsWhatItWasGiven() {
        partitions.assign(Map.of(one, Set.of(1, 2, 3), two, Set.of(4)));

        Holding holding = tables.database()
                .inTransaction(() -> partitions.hold(one, PATIENCE).orElseThrow());

        assertThat(holding.partitions()).containsExactly(1, 2, 3);
        assertThat(partitions.owners()).isEqualTo(Map.of(one, Set.of(1, 2, 3), two, Set.of(4)));
        assertThat(partitions.hold(UUID.randomUUID(), PATIENCE)).isEmpty();
    }

    @Test
    void termRisesWithEveryChange() {
        partitions.assign(Map.of(one, Set.of(1)));
        long before = partitions.hold(one, PATIENCE).orElseThrow().term();

        partitions.assign(Map.of(one, Set.of(1, 2)));

        assertThat(partitions.hold(one, PATIENCE).orElseThrow().term()).isGreaterThan(before);
    }

    @Test
    void nodeWithoutPartitionsHasNoRow() {
        partitions.assign(Map.of(one, Set.of(1)));

        partitions.assign(Map.of(one, Set.of()));

        assertThat(partitions.owners()).isEmpty();
    }

    @Test
    void busyOwnerKeepsItsPartitionsButMayGetMore() throws Exception {
        partitions.assign(Map.of(one, Set.of(1), two, Set.of(2)));
        try (OpenTransaction dispatching = new OpenTransaction(dataSource)) {
            assertThat(new PartitionStore(dispatching.database()).hold(one, PATIENCE))
                    .isPresent();

            assertThat(lockToTakeFrom(one, two)).containsExactly(two);
            partitions.assign(Map.of(one, Set.of(1, 3))); // does not wait
        }

        assertThat(lockToTakeFrom(one, two)).containsExactlyInAnyOrder(one, two);
        assertThat(partitions.ownedBy(one)).containsExactly(1, 3);
    }

    @Test
    void ownerThatLeavesGivesAllUp() {
        partitions.assign(Map.of(one, Set.of(1), two, Set.of(2)));

        partitions.release(one);

        assertThat(partitions.owners()).isEqualTo(Map.of(two, Set.of(2)));
    }

    @Test
    void onlyLiveNodesThatDispatchAndStayMayOwn() {
        register(one, true, true);
        register(two, true, false);
        UUID worker = UUID.randomUUID();
        register(worker, false, true);
        UUID leaving = UUID.randomUUID();
        register(leaving, true, true);
        new NodeStore(tables.database()).startDraining(leaving);
        UUID dead = UUID.randomUUID();
        register(dead, true, true);
        tables.expire(dead);

        assertThat(partitions.eligible()).containsExactly(one);
    }

    @Test
    void nodeWhoseDatabaseSessionIsGoneMayNotOwnBeforeItsLeaseEnds() {
        DedicatedDataSource own = new DedicatedDataSource(dataSource, Duration.ZERO);
        NodeStore nodes = new NodeStore(new Database(own, Database.DEFAULT_SCHEMA));
        nodes.register(
                new Node(one, "n", null, true, true, Set.of(), new Declared(true, null, Set.of())), TestTables.HOUR);
        assertThat(partitions.eligible()).containsExactly(one);

        own.close();

        await().until(() -> partitions.eligible().isEmpty());
        assertThat(nodes.heartbeat(one, TestTables.HOUR)).isPresent();
        assertThat(partitions.eligible()).containsExactly(one);
        own.close();
    }
}
