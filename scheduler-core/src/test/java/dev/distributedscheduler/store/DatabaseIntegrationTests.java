package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class DatabaseIntegrationTests {

    private static final UUID NODE = new UUID(0, 1);
    private static final Duration TTL = Duration.ofHours(1);

    private final DataSource dataSource;
    private TestTables tables;

    DatabaseIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void defaultSchema() {
        tables = new TestTables(dataSource);
    }

    @Test
    void otherSchemaIsUsedForEverythingAndTheDefaultOneForNothing() {
        new SchemaMigrator(dataSource, "team_7").migrate();
        Database other = new Database(dataSource, "team_7");
        ScheduleStore schedules = new ScheduleStore(other);
        DueTicks ticks = new DueTicks(other);

        new JobStore(other).declare(List.of(JobDefinition.of("job", run -> {})), schedules.deployment("this"));
        schedules.declare(List.of(new Schedule("report", "job", new FixedRateTrigger(TTL))), 1);
        List<Advance> due = ticks.lockDue(Set.of(), null, 1).stream()
                .map(schedule -> TestTicks.advance(schedule, tables.now()))
                .toList();
        ticks.advance(due);
        new NodeStore(other).register(new Node(NODE, "node", null, true, true, Set.of("job"), Declared.NOTHING), TTL);
        ClaimedRun run =
                new RunQueue(other).claim(NODE, "default", Set.of("job"), 1).get(0);
        new RunHistory(other).complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
        new RunHistory(other).keep(2, Duration.ofDays(90));
        assertThat(new LeaseStore(other).acquire(NODE, TTL)).hasValue(1);
        assertThat(new Agenda(other).look(Set.of(), null).tick()).isPositive();

        assertThat(tables.count("select count(*) from team_7.execution where outcome = 'COMPLETED'"))
                .isEqualTo(1);
        assertThat(tables.count("""
                select (select count(*) from scheduler.schedule) + (select count(*) from scheduler.node)
                     + (select count(*) from scheduler.execution) + (select term from scheduler.leader)
                """)).isZero();
    }

    @Test
    void workThatFailsLeavesNothingBehind() {
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.database().inTransaction(() -> {
                    tables.node("job");
                    throw new IllegalStateException("on purpose");
                }));

        assertThat(tables.count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void agendaIsEmptyWithoutDuties() {
        assertThat(new Agenda(tables.database()).look(Set.of(), null))
                .isEqualTo(new Agenda.Look(null, null, null, null, false, false));
    }

    @Test
    void agendaSeesTheNextOfEachDuty() {
        tables.delayed("job", Duration.ofMinutes(-2));
        tables.delayed("job", Duration.ofMinutes(10));
        tables.ready("job");
        tables.node("job");
        tables.execute("""
                insert into scheduler.schedule
                    (name, job, trigger_kind, trigger_expression, state, next_tick_at, missed, replay_at)
                select name, 'job', kind, expression, state, now() + due,
                       case when replay is null then '{}'
                            else tstzmultirange(tstzrange(now() - interval '1 hour', now())) end, now() + replay
                from (values ('next', 'ACTIVE', 'FIXED_RATE', 'PT1S', interval '5 minutes', interval '8 minutes'),
                             ('later', 'ACTIVE', 'BEAN', 'here', interval '9 minutes', interval '7 minutes'),
                             ('elsewhere', 'ACTIVE', 'BEAN', 'there', interval '1 minute', interval '1 minute'),
                             ('paused', 'PAUSED', 'FIXED_RATE', 'PT1S', interval '-1 minute', interval '-1 minute'),
                             ('waiting', 'ACTIVE', 'FIXED_RATE', 'PT1S', null, null))
                         as s (name, state, kind, expression, due, replay)
                """);

        Agenda.Look look = new Agenda(tables.database()).look(Set.of("here"), null);

        assertThat(look.tick()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        assertThat(look.replay()).isBetween(Duration.ofMinutes(6), Duration.ofMinutes(7));
        assertThat(look.delayedRun()).isBetween(Duration.ofMinutes(-3), Duration.ofMinutes(-2));
        assertThat(look.expiry()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
    }

    @Test
    void dedicatedConnectionIsKeptAndReplacedWhenItBroke() throws SQLException {
        try (DedicatedDataSource dedicated = new DedicatedDataSource(dataSource, Duration.ofSeconds(10))) {
            Connection first = dedicated.getConnection();
            assertThat(dedicated.getConnection()).isSameAs(first);
            Integer backend = dedicated.ownBackend();

            dedicated.abort();

            assertThat(dedicated.getConnection()).isNotSameAs(first);
            assertThat(dedicated.ownBackend()).isNotNull().isNotEqualTo(backend);
            assertThat(first.isClosed()).isTrue();
        }
    }

    @Test
    void callThatHangsBreaksTheDedicatedConnection() throws SQLException {
        try (DedicatedDataSource dedicated = new DedicatedDataSource(dataSource, Duration.ofMillis(300))) {
            Connection hanging = dedicated.getConnection();
            Database database = new Database(dedicated, Database.DEFAULT_SCHEMA);

            assertThatThrownBy(() -> database.sql("select pg_sleep(20)").query().listOfRows())
                    .hasRootCauseInstanceOf(SocketTimeoutException.class);

            assertThat(hanging.isClosed()).isTrue();
            assertThat(database.sql("select 1").query(Integer.class).single()).isEqualTo(1);
        }
    }

    @Test
    void pooledSourceHasNoBackendOfItsOwn() {
        assertThat(tables.database().ownBackend()).isNull();
    }
}
