package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class LostRunRescuerIntegrationTests {

    private static final UUID LEADER = new UUID(0, 1);
    private static final Term TERM = new Term(LEADER, 1);

    private final DataSource dataSource;
    private final List<SchedulerEvent> events = new ArrayList<>();
    private TestTables tables;
    private LostRunRescuer rescuer;

    LostRunRescuerIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void lead() {
        tables = new TestTables(dataSource);
        new LeaseStore(tables.database()).acquire(LEADER, TestTables.HOUR);
        rescuer = new LostRunRescuer(
                new FencedTransactions(tables.database(), Duration.ofSeconds(5)),
                new NodeStore(tables.database()),
                new RunQueue(tables.database()),
                new RunHistory(tables.database()),
                events::add);
    }

    @Test
    void runsOfADeadNodeComeBackAtOnce() {
        ClaimedRun lost = tables.running("job");
        ClaimedRun alive = tables.running("job");
        tables.expire(lost.nodeId());

        assertThat(rescuer.rescue(TERM)).isEqualTo(2);

        assertThat(tables.texts("select concat_ws(' ', id, state, failures) from scheduler.run order by id"))
                .containsExactly(lost.id() + " READY 1", alive.id() + " RUNNING 0");
        assertThat(tables.texts("select outcome from scheduler.execution")).containsExactly("LOST");
        assertThat(events)
                .containsExactly(
                        new RunsRescued(List.of(lost.nodeId()), 1), new RunRetried(FinishedAttempt.lost(lost)));
    }

    @Test
    void crashCountsAsAnAttempt() {
        tables.insert("job", "default", "READY", Priority.NORMAL, Duration.ZERO, 1);
        ClaimedRun lost = tables.claim("job");
        tables.expire(lost.nodeId());

        rescuer.rescue(TERM);

        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
        assertThat(tables.texts("select outcome from scheduler.dead_letter")).containsExactly("LOST");
        assertThat(events).last().isEqualTo(new RunDied(FinishedAttempt.lost(lost)));
    }

    @Test
    void cancelledRunOfADeadNodeDoesNotComeBack() {
        ClaimedRun lost = tables.running("job");
        tables.execute("update scheduler.run set cancel_requested = true");
        tables.expire(lost.nodeId());

        rescuer.rescue(TERM);

        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
        assertThat(events).last().isEqualTo(new RunCancelled(FinishedAttempt.lost(lost)));
    }

    @Test
    void runsOfANodeThatLeftWithoutThemAreFound() {
        ClaimedRun lost = tables.running("job");
        new NodeStore(tables.database()).deregister(lost.nodeId());

        assertThat(rescuer.rescue(TERM)).isEqualTo(1);

        assertThat(tables.text("select state from scheduler.run")).isEqualTo("READY");
    }

    @Test
    void moreThanABatchTakesMoreRounds() {
        UUID node = tables.node("job");
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts,
                                           attempt, token, node_id, claimed_at)
                select 'job', 'default', 'RUNNING', 0, now(), now(), 3, 1, nextval('scheduler.token'), '%s', now()
                from generate_series(1, 1500)
                """.formatted(node));
        tables.expire(node);

        assertThat(rescuer.rescue(TERM)).isEqualTo(1_001);
        assertThat(rescuer.rescue(TERM)).isEqualTo(500);
        assertThat(rescuer.rescue(TERM)).isZero();

        assertThat(tables.count("select count(*) from scheduler.run where state = 'READY'"))
                .isEqualTo(1_500);
    }

    @Test
    void leaderOfAnOldTermTakesNothingFromAnybody() {
        tables.expire(tables.running("job").nodeId());
        tables.expireLeader();
        new LeaseStore(tables.database()).acquire(UUID.randomUUID(), TestTables.HOUR);

        assertThatThrownBy(() -> rescuer.rescue(TERM)).isInstanceOf(TermOverException.class);

        assertThat(tables.count("select count(*) from scheduler.node")).isEqualTo(1);
        assertThat(tables.text("select state from scheduler.run")).isEqualTo("RUNNING");
    }
}
