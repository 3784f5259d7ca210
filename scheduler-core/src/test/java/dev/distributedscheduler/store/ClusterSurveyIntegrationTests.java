package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Depth;
import dev.distributedscheduler.event.ClusterSnapshot.Leader;
import dev.distributedscheduler.event.ClusterSnapshot.Nodes;
import dev.distributedscheduler.fixture.PostgresTest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

/** A look at the cluster shows what is there. */
@PostgresTest
class ClusterSurveyIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int EXACT_UP_TO = 100;

    private final DataSource dataSource;
    private final TestTables tables;
    private final ClusterSurvey survey;

    ClusterSurveyIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
        this.tables = new TestTables(dataSource);
        this.survey = new ClusterSurvey(tables.database(), TestTables.HOUR);
    }

    private ClusterSnapshot look() {
        return survey.look(PATIENCE, EXACT_UP_TO);
    }

    @Test
    void emptyClusterHasNothing() {
        ClusterSnapshot snapshot = look();

        assertThat(snapshot.leader()).isEqualTo(new Leader(false, null, 0));
        assertThat(snapshot.nodes()).isEqualTo(new Nodes(0, 0, 0));
        assertThat(snapshot.depths()).isEmpty();
        assertThat(snapshot.oldestDue()).isEmpty();
        assertThat(snapshot.tickOverdue()).isZero();
        assertThat(snapshot.dueWithin())
                .containsExactly(
                        entry(Duration.ofMinutes(1), 0L),
                        entry(Duration.ofMinutes(5), 0L),
                        entry(Duration.ofHours(1), 0L));
        assertThat(snapshot.deadLetters()).isZero();
        assertThat(snapshot.orphaned()).isZero();
        assertThat(snapshot.stuck()).isEmpty();
        assertThat(snapshot.freshness()).isEmpty();
    }

    @Test
    void runsAreCountedByQueueAndState() {
        tables.ready("job");
        tables.ready("job");
        tables.ready("job", "slow", Priority.NORMAL, Duration.ZERO);
        tables.delayed("job", Duration.ofMinutes(10));
        tables.running("other");
        tables.execute("update scheduler.run set state = 'BLOCKED', blocked_by = 'ORPHAN' where queue = 'slow'");

        ClusterSnapshot snapshot = look();

        assertThat(snapshot.depths())
                .containsExactly(
                        new Depth("default", "READY", 2),
                        new Depth("default", "RUNNING", 1),
                        new Depth("default", "SCHEDULED", 1),
                        new Depth("slow", "BLOCKED", 1));
        assertThat(snapshot.orphaned()).isEqualTo(1);
        assertThat(snapshot.dueWithin())
                .containsExactly(
                        entry(Duration.ofMinutes(1), 0L),
                        entry(Duration.ofMinutes(5), 0L),
                        entry(Duration.ofHours(1), 1L));
    }

    @Test
    void whatIsMoreThanCountedIsEstimatedFromTheTable() {
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                select 'job', case when n % 10 = 0 then 'slow' else 'default' end, 'READY', 0, now(), now(), 3
                from generate_series(1, 3000) n
                """);
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                select 'job', 'default', 'SCHEDULED', 0, now(), now() + n * interval '10 seconds', 3
                from generate_series(1, 600) n
                """);
        tables.ready("job", "tiny", Priority.NORMAL, Duration.ZERO);

        ClusterSnapshot snapshot = look();

        // a table of less than 500 pages is its own sample
        assertThat(snapshot.depths())
                .containsExactly(
                        new Depth("default", "READY", 2_700),
                        new Depth("default", "SCHEDULED", 600),
                        new Depth("slow", "READY", 300),
                        new Depth("tiny", "READY", 1));
        assertThat(snapshot.dueWithin())
                .containsExactly(
                        entry(Duration.ofMinutes(1), 6L),
                        entry(Duration.ofMinutes(5), 30L),
                        entry(Duration.ofHours(1), 360L));
    }

    @Test
    void oldestDueRunNeedNotBeTheFirstInLine() {
        tables.ready("job", "default", Priority.CRITICAL, Duration.ZERO);
        tables.ready("job", "default", Priority.LOW, Duration.ofMinutes(10));
        tables.delayed("late-for-the-leader", Duration.ofMinutes(-20));
        tables.insert("job", "fast", "SCHEDULED", Priority.NORMAL, Duration.ofMinutes(5), 1);

        assertThat(look().oldestDue())
                .containsOnlyKeys("default")
                .hasEntrySatisfying(
                        "default", age -> assertThat(age).isBetween(Duration.ofMinutes(20), Duration.ofMinutes(21)));
    }

    @Test
    void tickThatNobodyDispatchesIsOverdue() {
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, next_tick_at)
                values ('late', 'job', 'FIXED_RATE', 'PT1H', now() - interval '2 minutes'),
                       ('soon', 'job', 'FIXED_RATE', 'PT1H', now() + interval '2 minutes')
                """);

        ClusterSnapshot snapshot = look();

        assertThat(snapshot.tickOverdue()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
        assertThat(snapshot.dueWithin())
                .containsEntry(Duration.ofMinutes(1), 1L)
                .containsEntry(Duration.ofMinutes(5), 2L);
    }

    @Test
    void nodesAreLateBeforeTheirLeaseEnds() {
        UUID leader = tables.node();
        new LeaseStore(tables.database()).acquire(leader, TestTables.HOUR);
        UUID late = tables.node();
        tables.execute("update scheduler.node set lease_until = now() + interval '19 minutes' where id = '%s'"
                .formatted(late));
        UUID draining = tables.node();
        new NodeStore(tables.database()).startDraining(draining);
        tables.expire(tables.node());

        ClusterSnapshot snapshot = look();

        assertThat(snapshot.nodes()).isEqualTo(new Nodes(3, 1, 2));
        assertThat(snapshot.leader()).isEqualTo(new Leader(true, "node", 1));
        tables.expireLeader();
        assertThat(look().leader().present()).isFalse();
    }

    @Test
    void lookThatTakesTooLongIsGivenUp() throws SQLException {
        try (OpenTransaction locking = new OpenTransaction(dataSource)) {
            locking.database()
                    .sql("lock table scheduler.run in access exclusive mode")
                    .update();

            assertThatThrownBy(() -> survey.look(Duration.ofMillis(100), EXACT_UP_TO))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("statement timeout");
        }
        tables.awaitNoTransaction();
        assertThat(look().depths()).isEmpty();
    }
}
