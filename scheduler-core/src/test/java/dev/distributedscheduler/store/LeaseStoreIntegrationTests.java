package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class LeaseStoreIntegrationTests {

    private static final Duration TTL = Duration.ofHours(1);
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);

    private final DataSource dataSource;
    private TestTables tables;
    private LeaseStore leases;

    LeaseStoreIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void vacantLease() {
        tables = new TestTables(dataSource);
        leases = new LeaseStore(tables.database());
    }

    private Instant leaseUntil() {
        return tables.instant("select lease_until from scheduler.leader");
    }

    private String holder() {
        return tables.text("select node_id from scheduler.leader");
    }

    @Test
    void vacantLeaseIsTaken() {
        assertThat(leases.acquire(ONE, TTL)).hasValue(1);

        assertThat(holder()).isEqualTo(ONE.toString());
        assertThat(Duration.between(tables.now(), leaseUntil())).isBetween(Duration.ofMinutes(59), TTL);
        assertThat(leases.currentTerm()).isEqualTo(1);
    }

    @Test
    void heldLeaseIsNotTaken() {
        leases.acquire(ONE, TTL);

        assertThat(leases.acquire(TWO, TTL)).isEmpty();
        assertThat(leases.acquire(ONE, TTL)).isEmpty();
        assertThat(leases.currentTerm()).isEqualTo(1);
    }

    @Test
    void holderRenews() {
        leases.acquire(ONE, Duration.ofSeconds(60));
        Instant before = leaseUntil();

        assertThat(leases.renew(ONE, 1, TTL)).isTrue();

        assertThat(Duration.between(before, leaseUntil())).isGreaterThan(Duration.ofMinutes(58));
    }

    @Test
    void renewalByAnotherNodeIsRefusedAndChangesNothing() {
        leases.acquire(ONE, TTL);
        Instant before = leaseUntil();

        assertThat(leases.renew(TWO, 1, TTL.multipliedBy(2))).isFalse();
        assertThat(leases.renew(ONE, 2, TTL.multipliedBy(2))).isFalse();
        assertThat(leases.renew(ONE, 0, TTL.multipliedBy(2))).isFalse();

        assertThat(leaseUntil()).isEqualTo(before);
        assertThat(holder()).isEqualTo(ONE.toString());
    }

    @Test
    void leaseThatHasRunOutCannotBeRenewed() {
        leases.acquire(ONE, TTL);
        tables.expireLeader();
        Instant before = leaseUntil();

        assertThat(leases.renew(ONE, 1, TTL)).isFalse();
        assertThat(leaseUntil()).isEqualTo(before);
    }

    @Test
    void expiredLeaseIsTakenAndTheTermRises() {
        leases.acquire(ONE, TTL);
        tables.expireLeader();

        assertThat(leases.acquire(TWO, TTL)).hasValue(2);
        assertThat(holder()).isEqualTo(TWO.toString());
    }

    @Test
    void releasedLeaseIsTakenAtOnceAndTheTermRises() {
        leases.acquire(ONE, TTL);

        assertThat(leases.release(ONE, 1)).isTrue();
        assertThat(leases.release(ONE, 1)).isFalse();

        assertThat(leases.acquire(ONE, TTL)).hasValue(2);
        assertThat(leases.release(ONE, 2)).isTrue();
        assertThat(leases.acquire(TWO, TTL)).hasValue(3);
    }

    @Test
    void lateReleaseDoesNotTouchTheNextTerm() {
        leases.acquire(ONE, TTL);
        tables.expireLeader();
        leases.acquire(ONE, TTL);
        Instant before = leaseUntil();

        assertThat(leases.release(ONE, 1)).isFalse();

        assertThat(holder()).isEqualTo(ONE.toString());
        assertThat(leaseUntil()).isEqualTo(before);
    }

    @Test
    void leaseOfASessionThatIsGoneIsTakenAtOnce() {
        DedicatedDataSource session = new DedicatedDataSource(dataSource, Duration.ofSeconds(10));
        LeaseStore dying = new LeaseStore(new Database(session, Database.DEFAULT_SCHEMA));
        assertThat(dying.acquire(ONE, TTL)).hasValue(1);
        assertThat(leases.acquire(TWO, TTL)).isEmpty();

        session.abort();

        await().untilAsserted(() -> assertThat(leases.acquire(TWO, TTL)).hasValue(2));
        assertThat(dying.renew(ONE, 1, TTL)).isFalse();
        session.close();
    }

    @Test
    void renewalOnANewSessionNamesThatOne() {
        try (DedicatedDataSource session = new DedicatedDataSource(dataSource, Duration.ofSeconds(10))) {
            LeaseStore holding = new LeaseStore(new Database(session, Database.DEFAULT_SCHEMA));
            holding.acquire(ONE, TTL);
            String first = tables.text("select session_pid from scheduler.leader");
            session.close();

            assertThat(holding.renew(ONE, 1, TTL)).isTrue();

            assertThat(tables.text("select session_pid from scheduler.leader")).isNotEqualTo(first);
            assertThat(leases.acquire(TWO, TTL)).isEmpty();
        }
    }

    @Test
    void pooledConnectionIsNoSessionToJudgeBy() {
        leases.acquire(ONE, TTL);

        assertThat(tables.text("select session_pid from scheduler.leader")).isNull();
    }
}
