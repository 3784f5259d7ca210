package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.OpenTransaction;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.TestTables;
import java.sql.SQLException;
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
    private long nanoTime;
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
                new Means(tables.database(), TriggerBeans.NONE, events::add, () -> nanoTime));
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

    /** A worker that froze with its completion under way holds the run until the server loses patience. */
    @Test
    void runThatWasLockedWhenItsNodeWasExpelledIsLookedForAgain() throws SQLException {
        ClaimedRun lost = tables.running("job");
        tables.expire(lost.nodeId());
        assertThat(rescuer.isDue()).isFalse();
        try (OpenTransaction frozen = new OpenTransaction(dataSource)) {
            assertThat(new RunQueue(frozen.database()).owns(lost, Duration.ofMinutes(1)))
                    .isTrue();
            assertThat(rescuer.rescue(TERM)).as("the node alone").isOne();
            assertThat(rescuer.next(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(1));

            pass(Duration.ofMillis(999));
            assertThat(rescuer.isDue()).isFalse();
            pass(Duration.ofMillis(1));
            assertThat(rescuer.isDue()).isTrue();
            assertThat(rescuer.rescue(TERM)).isZero();
            assertThat(rescuer.isDue()).as("not more than once a second").isFalse();
        }
        tables.awaitNoTransaction();
        pass(Duration.ofSeconds(1));

        assertThat(rescuer.isDue()).isTrue();
        assertThat(rescuer.rescue(TERM)).isOne();
        assertThat(tables.text("select state from scheduler.run")).isEqualTo("READY");
    }

    @Test
    void lookingForRunsOfExpelledNodesComesToAnEnd() {
        tables.expire(tables.node("job"));
        rescuer.rescue(TERM);

        int looks = 0;
        for (int second = 0; second < 60; second++) {
            pass(Duration.ofSeconds(1));
            if (rescuer.isDue()) {
                rescuer.rescue(TERM);
                looks++;
            }
        }

        assertThat(looks).isEqualTo(10);
        assertThat(rescuer.next(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(1));
    }

    private void pass(Duration time) {
        nanoTime += time.toNanos();
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
