package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresTest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of two terms never overlap. */
@PostgresTest
@Timeout(30)
class LeaseFenceIntegrationTests {

    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);

    private final DataSource dataSource;
    private TestTables tables;
    private LeaseStore leases;

    LeaseFenceIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void firstTerm() {
        tables = new TestTables(dataSource);
        leases = new LeaseStore(tables.database());
        leases.acquire(ONE, TTL);
    }

    @Test
    void currentTermPassesAndLearnsTheTime() {
        Instant before = tables.now();

        assertThat(leases.fence(1, PATIENCE))
                .hasValueSatisfying(now -> assertThat(now).isBetween(before, tables.now()));
    }

    @Test
    void oldTermIsRefused() {
        tables.expireLeader();
        leases.acquire(TWO, TTL);

        assertThat(leases.fence(1, PATIENCE)).isEmpty();
        assertThat(leases.fence(2, PATIENCE)).isPresent();
    }

    @Test
    void leaseThatHasRunOutIsRefusedEvenWithoutASuccessor() {
        tables.expireLeader();

        assertThat(leases.fence(1, PATIENCE)).isEmpty();
    }

    @Test
    void vacantLeaseIsRefused() {
        leases.release(ONE, 1);
        tables.execute("update scheduler.leader set lease_until = now() + interval '1 hour'");

        assertThat(leases.fence(1, PATIENCE)).isEmpty();
    }

    @Test
    void newTermCannotBeginWhileATransactionOfTheOldOneIsOpen() throws SQLException {
        try (OpenTransaction old = new OpenTransaction(dataSource)) {
            assertThat(new LeaseStore(old.database()).fence(1, PATIENCE)).isPresent();
            tables.expireLeader();

            assertThat(leases.acquire(TWO, TTL)).isEmpty();

            old.commit();
            assertThat(leases.acquire(TWO, TTL)).hasValue(2);
        }
    }

    @Test
    void fenceThatMeetsASuccessorUnderWayIsRefusedWhenThatHasCommitted() throws SQLException {
        tables.execute("update scheduler.leader set session_pid = 1, session_started_at = now()");
        try (OpenTransaction successor = new OpenTransaction(dataSource)) {
            assertThat(new LeaseStore(successor.database()).acquire(TWO, TTL)).hasValue(2);
            CompletableFuture<Optional<Instant>> fence = CompletableFuture.supplyAsync(() -> leases.fence(1, PATIENCE));
            tables.awaitWaiter();

            successor.commit();

            assertThat(fence.join()).isEmpty();
        }
    }

    @Test
    void renewalDoesNotWaitForTheLeadersOwnTransaction() throws SQLException {
        try (OpenTransaction own = new OpenTransaction(dataSource);
                DedicatedDataSource vital = new DedicatedDataSource(dataSource, Duration.ofSeconds(5))) {
            new LeaseStore(own.database()).fence(1, PATIENCE);

            assertThat(new LeaseStore(new Database(vital, Database.DEFAULT_SCHEMA)).renew(ONE, 1, TTL))
                    .isTrue();

            own.commit();
        }
    }

    @Test
    void frozenTransactionIsEndedByTheServerAfterThePatience() throws SQLException {
        try (OpenTransaction frozen = new OpenTransaction(dataSource)) {
            new LeaseStore(frozen.database()).fence(1, Duration.ofMillis(200));
            tables.expireLeader();
            assertThat(leases.acquire(TWO, TTL)).isEmpty();

            await().untilAsserted(() -> assertThat(leases.acquire(TWO, TTL)).hasValue(2));

            assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void patienceAlsoBoundsTheWaitForLocks() throws SQLException {
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression)
                values ('locked', 'job', 'FIXED_RATE', 'PT1S')
                """);
        try (OpenTransaction other = new OpenTransaction(dataSource);
                OpenTransaction leader = new OpenTransaction(dataSource)) {
            other.database()
                    .sql("update scheduler.schedule set state = 'PAUSED'")
                    .update();
            new LeaseStore(leader.database()).fence(1, Duration.ofMillis(100));

            assertThatThrownBy(() -> leader.database()
                            .sql("update scheduler.schedule set state = 'FAILED'")
                            .update())
                    .hasMessageContaining("lock timeout");
        }
    }
}
