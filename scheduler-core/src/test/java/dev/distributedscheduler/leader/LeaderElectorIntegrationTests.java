package dev.distributedscheduler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.TestTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@PostgresTest
class LeaderElectorIntegrationTests {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final LeaderSettings SETTINGS =
            new LeaderSettings(LEASE, Duration.ofMinutes(3), Duration.ofSeconds(5));
    private static final UUID NODE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final DataSource dataSource;
    private final AtomicLong nanoTime =
            new AtomicLong(Long.MAX_VALUE - Duration.ofMinutes(5).toNanos());
    private final List<SchedulerEvent> events = new ArrayList<>();
    private Optional<UUID> liveNode = Optional.of(NODE);
    private Duration callTakes = Duration.ZERO;
    private boolean down;
    private TestTables tables;
    private LeaseStore leases;
    private LeaderElector elector;

    LeaderElectorIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void follower() {
        tables = new TestTables(dataSource);
        leases = new LeaseStore(tables.database());
        elector = elector(new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                pass(callTakes);
                if (down) {
                    throw new SQLException("down");
                }
                return super.getConnection();
            }
        });
    }

    private LeaderElector elector(DataSource connections) {
        LeaseStore store = new LeaseStore(new Database(connections, Database.DEFAULT_SCHEMA));
        return new LeaderElector(store, SETTINGS, () -> liveNode, events::add, nanoTime::get);
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }

    private boolean leads() {
        return elector.current().isPresent();
    }

    @Test
    void leadsAfterTheFirstRound() {
        assertThat(leads()).isFalse();

        Duration next = elector.round();

        assertThat(elector.current()).contains(new Term(NODE, 1));
        assertThat(next).isBetween(Duration.ofSeconds(162), Duration.ofSeconds(198));
        assertThat(events).containsExactly(new LeadershipGained(NODE, 1));
    }

    @Test
    void followsWhileAnotherNodeLeads() {
        leases.acquire(OTHER, LEASE);

        Duration next = elector.round();

        assertThat(leads()).isFalse();
        assertThat(next).isBetween(Duration.ofMillis(4_500), Duration.ofMillis(5_500));
        assertThat(events).isEmpty();
    }

    @Test
    void nodeWithoutALeaseOfItsOwnDoesNotStand() {
        liveNode = Optional.empty();

        elector.round();

        assertThat(leases.currentTerm()).isZero();
    }

    @Test
    void slowElectionGivesNoTrustBeyondWhatItsStartAllows() {
        callTakes = LEASE.minus(MARGIN);

        elector.round();

        assertThat(leases.currentTerm()).isEqualTo(1);
        assertThat(leads()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT7S", "PT5M"})
    void trustCountsFromTheStartOfTheRenewal(Duration renewalTakes) {
        elector.round();
        pass(Duration.ofMinutes(3));
        callTakes = renewalTakes;

        elector.round();
        pass(LEASE.minus(MARGIN).minus(renewalTakes).minusNanos(1));
        assertThat(leads()).isTrue();

        pass(Duration.ofNanos(1));
        assertThat(leads()).isFalse();
    }

    @Test
    void leaderThatCannotRenewLetsGoBeforeTheLeaseEnds() {
        elector.round();
        down = true;

        for (int minute = 1; minute < 9; minute++) {
            pass(Duration.ofMinutes(1));
            assertThatThrownBy(elector::round).hasRootCauseMessage("down");
            assertThat(leads()).isTrue();
        }
        pass(Duration.ofMinutes(1));

        assertThat(leads()).isFalse();
        assertThatThrownBy(elector::round).hasRootCauseMessage("down");
        assertThat(events).last().isEqualTo(new LeadershipLost(NODE, 1, "could not renew the lease in time"));
    }

    @Test
    void refusedRenewalEndsTheLeadershipAtOnce() {
        elector.round();
        tables.expireLeader();
        leases.acquire(OTHER, LEASE);

        elector.round();

        assertThat(leads()).isFalse();
        assertThat(events)
                .last()
                .isEqualTo(new LeadershipLost(NODE, 1, "the lease had run out or gone to another node"));
        assertThat(leases.fence(2, LEASE)).isPresent();
    }

    @Test
    void termThatWasFencedOffIsOver() {
        elector.round();

        elector.fencedOff(new Term(NODE, 1));

        assertThat(leads()).isFalse();
        assertThat(events).last().isEqualTo(new LeadershipLost(NODE, 1, "a transaction was fenced off"));
    }

    @Test
    void oldTermThatWasFencedOffDoesNotEndTheNewOne() {
        elector.round();

        elector.fencedOff(new Term(NODE, 0));
        elector.fencedOff(new Term(OTHER, 1));

        assertThat(leads()).isTrue();
    }

    @Test
    void releasedLeadershipIsVacantAtOnce() {
        elector.round();

        elector.release();

        assertThat(leads()).isFalse();
        assertThat(leases.acquire(OTHER, LEASE)).hasValue(2);
        elector.release();
        assertThat(events).containsExactly(new LeadershipGained(NODE, 1), new LeadershipLost(NODE, 1, "released"));
    }

    @Test
    void leaderThatCannotReleaseNoLongerLeadsAllTheSame() {
        elector.round();
        down = true;

        assertThatThrownBy(elector::release).hasRootCauseMessage("down");

        assertThat(leads()).isFalse();
    }

    @Test
    void nodeThatCameBackUnderANewIdLeadsInANewTerm() {
        elector.round();
        liveNode = Optional.of(OTHER);

        elector.round();

        assertThat(elector.current()).contains(new Term(OTHER, 2));
        assertThat(events)
                .containsExactly(
                        new LeadershipGained(NODE, 1),
                        new LeadershipLost(NODE, 1, "released"),
                        new LeadershipGained(OTHER, 2));
    }

    @Test
    void nodeThatLostItsOwnLeaseHandsTheLeadershipOver() {
        elector.round();
        liveNode = Optional.empty();

        elector.round();

        assertThat(leads()).isFalse();
        assertThat(leases.acquire(OTHER, LEASE)).hasValue(2);
    }

    @Test
    void thousandRenewalsNeverLoseTheLease() {
        try (DedicatedDataSource vital = new DedicatedDataSource(dataSource, Duration.ofSeconds(10))) {
            elector = elector(vital);
            for (int i = 0; i < 1_000; i++) {
                pass(elector.round());
                assertThat(leads()).isTrue();
            }
        }

        assertThat(leases.currentTerm()).isEqualTo(1);
        assertThat(events).hasSize(1);
    }
}
