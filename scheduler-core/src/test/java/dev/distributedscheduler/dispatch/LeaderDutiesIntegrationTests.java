package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipLost;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.LeaderSettings;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@PostgresTest
@Timeout(60)
class LeaderDutiesIntegrationTests {

    private static final UUID NODE = new UUID(0, 1);

    private final DataSource dataSource;
    private final List<SchedulerEvent> events = new ArrayList<>();
    private int calls;
    private TestTables tables;
    private LeaderElector elector;
    private LeaderDuties duties;

    LeaderDutiesIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void follower() {
        tables = new TestTables(dataSource);
        LeaderSettings settings =
                new LeaderSettings(Duration.ofMinutes(10), Duration.ofMinutes(3), Duration.ofSeconds(5));
        elector = new LeaderElector(
                new LeaseStore(tables.database()), settings, () -> Optional.of(NODE), events::add, System::nanoTime);
        DataSource counted = new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                calls++;
                return super.getConnection();
            }
        };
        duties = new LeaderDuties(
                elector,
                DispatchSettings.DEFAULT,
                new LeaderDuties.Means(
                        new Database(counted, Database.DEFAULT_SCHEMA),
                        TriggerBeans.NONE,
                        events::add,
                        System::nanoTime));
    }

    private void lead() {
        elector.round();
        assertThat(elector.current()).isPresent();
    }

    private void declare(Duration initialDelay) {
        Schedule schedule = new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(1)), initialDelay);
        new ScheduleStore(tables.database()).declare(List.of(schedule), 1);
    }

    @Test
    void roundWithoutLeadershipAsksNothing() {
        declare(Duration.ZERO);

        assertThat(duties.round()).isEqualTo(Duration.ofMinutes(1));

        assertThat(calls).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void dueTicksDelayedRunsAndExpiredNodesAreHandledInOneRound() {
        ClaimedRun lost = tables.running("lost");
        tables.expire(lost.nodeId());
        tables.delayed("delayed", Duration.ofSeconds(-1));
        declare(Duration.ZERO);
        lead();

        assertThat(duties.round()).isZero();

        assertThat(tables.texts("select job || ' ' || state from scheduler.run order by job"))
                .containsExactly("delayed READY", "job READY", "lost READY");
        assertThat(tables.count("select count(*) from scheduler.node")).isZero();
    }

    private void owe(String name) {
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, missed, replay_at, next_tick_at)
                values ('%s', 'owed', 'FIXED_RATE', 'PT1H', tstzmultirange(tstzrange(now() - interval '1 minute', now())),
                        now(), now() + interval '1 hour')
                """.formatted(name));
    }

    /** Where some tick is always due, nothing would ever be made up for otherwise. */
    @Test
    void missedTicksAreMadeUpForInARoundThatDispatchesTicks() {
        declare(Duration.ZERO);
        owe("behind");
        lead();

        assertThat(duties.round()).isZero();

        assertThat(tables.texts("select job || ' ' || replayed from scheduler.run order by job"))
                .containsExactly("job false", "owed true");
    }

    @Test
    void missedTicksWaitWhileMoreTicksAreDueThanOneBatchTakes() {
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, next_tick_at)
                select 'due-' || i, 'job', 'FIXED_RATE', 'PT1H', now() from generate_series(1, %d) i
                """.formatted(DueTickEnqueuer.SCHEDULES_PER_BATCH + 1));
        owe("behind");
        lead();

        assertThat(duties.round()).isZero();
        assertThat(tables.count("select count(*) from scheduler.run where replayed"))
                .isZero();

        assertThat(duties.round()).isZero();
        assertThat(tables.count("select count(*) from scheduler.run where replayed"))
                .isOne();
        assertThat(tables.count("select count(*) from scheduler.run where not replayed"))
                .isEqualTo(DueTickEnqueuer.SCHEDULES_PER_BATCH + 1);
    }

    @Test
    void roundWithNothingToDoSleepsUntilTheNextTickButNotTooLong() {
        lead();
        assertThat(duties.round()).isEqualTo(DispatchSettings.DEFAULT.pollEvery());

        declare(Duration.ofSeconds(4));

        assertThat(duties.round()).isPositive().isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void expiredKeysAreRemoved() {
        tables.execute("insert into scheduler.idempotency values ('job', 'key', 1, now() - interval '1 second')");
        lead();

        assertThat(duties.round()).isZero();

        assertThat(tables.count("select count(*) from scheduler.idempotency")).isZero();
    }

    @Test
    void leaderThatIsFencedOffStepsDown() {
        lead();
        declare(Duration.ZERO);
        tables.expireLeader();

        assertThat(duties.round()).isEqualTo(Duration.ofMinutes(1));

        assertThat(elector.current()).isEmpty();
        assertThat(events).last().isEqualTo(new LeadershipLost(NODE, 1, "a transaction was fenced off"));
        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
    }
}
