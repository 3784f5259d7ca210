package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.event.SchedulerEvent.TicksSkipped;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@PostgresTest
@Timeout(60)
class DueTickEnqueuerIntegrationTests {

    private static final UUID NODE = new UUID(0, 1);
    private static final Term TERM = new Term(NODE, 1);

    private final DataSource dataSource;
    private final List<SchedulerEvent> events = new ArrayList<>();
    private TestTables tables;
    private DedicatedDataSource connection;
    private FencedTransactions transactions;
    private DueTickEnqueuer ticks;

    DueTickEnqueuerIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void lead() {
        tables = new TestTables(dataSource);
        new LeaseStore(tables.database()).acquire(NODE, TestTables.HOUR);
        connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20));
        Database database = new Database(connection, Database.DEFAULT_SCHEMA);
        transactions = new FencedTransactions(database, Duration.ofSeconds(5));
        ticks = new DueTickEnqueuer(new DueTicks(database), TriggerBeans.NONE, DispatchSettings.DEFAULT, events::add);
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private void schedule(String name, String kind, String expression, String zone, Duration late) {
        tables.execute(
                """
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, zone, dst_gap, dst_overlap,
                                                delay, next_tick_at)
                values ('%1$s', 'job', '%2$s', '%3$s', %4$s,
                        case '%2$s' when 'CRON' then 'SKIP' end, case '%2$s' when 'CRON' then 'ONCE' end,
                        case '%2$s' when 'FIXED_DELAY' then interval '10 seconds' end, now() - %5$d * interval '1 millisecond')
                """.formatted(name, kind, expression, zone == null ? "null" : "'" + zone + "'", late.toMillis()));
    }

    private long runs() {
        return tables.count("select count(*) from scheduler.run");
    }

    /** Name and seconds. */
    private List<String> missed() {
        return tables.texts("""
                select name || ' ' || round(extract(epoch from upper(m) - lower(m)))
                from scheduler.schedule, unnest(missed) m order by name, lower(m)
                """);
    }

    private List<String> states() {
        return tables.texts("select name || ' ' || state from scheduler.schedule order by name");
    }

    @Test
    void dueTicksBecomeRuns() {
        schedule("rate", "FIXED_RATE", "PT1S", null, Duration.ofMillis(2_500));
        schedule("delay", "FIXED_DELAY", "PT10S", null, Duration.ofSeconds(25));
        schedule("future", "FIXED_RATE", "PT10S", null, Duration.ofSeconds(-25));

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(2);

        assertThat(runs()).isEqualTo(4);
        assertThat(events).singleElement().isInstanceOfSatisfying(TicksEnqueued.class, told -> {
            assertThat(told.term()).isEqualTo(1);
            assertThat(told.runsByQueue()).isEqualTo(Map.of("default", 4));
            assertThat(told.lateness()).hasSize(4).allMatch(late -> !late.isNegative());
        });
        assertThat(missed()).isEmpty();
    }

    @Test
    void nothingMoreIsDueAfterwards() {
        schedule("rate", "FIXED_RATE", "PT10S", null, Duration.ofSeconds(2));
        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(1);

        assertThat(ticks.enqueue(transactions.alone(TERM))).isZero();

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        TicksEnqueued.class,
                        told -> assertThat(told.runsByQueue()).isEqualTo(Map.of("default", 1)));
    }

    @Test
    void missedTicksAreKeptForLaterAndTheLiveOneIsEnqueued() {
        schedule("rate", "FIXED_RATE", "PT10S", null, Duration.ofSeconds(22));

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(1);

        assertThat(runs()).isEqualTo(1);
        assertThat(missed()).containsExactly("rate 17");
    }

    @Test
    void tickWhosePredecessorIsLiveIsToldAsSkipped() {
        schedule("rate", "FIXED_RATE", "PT1S", null, Duration.ofMillis(1_500));
        ticks.enqueue(transactions.alone(TERM));
        tables.execute(
                "update scheduler.schedule set last_tick_at = null, next_tick_at = now() - interval '1 millisecond'");
        events.clear();

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(1);

        assertThat(events).containsExactly(new TicksSkipped(1));
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void unreadableScheduleIsSetAsideAndTheOthersGoOn() {
        schedule("bad cron", "CRON", "every day", "UTC", Duration.ofSeconds(9));
        schedule("bad delay", "FIXED_DELAY", "soon", null, Duration.ofSeconds(8));
        schedule("bad kind", "ONCE", "PT1H", null, Duration.ofSeconds(8));
        schedule("bad period", "FIXED_RATE", "soon", null, Duration.ofSeconds(7));
        schedule("bad zone", "CRON", "0 0 0 * * *", "Mars/Phobos", Duration.ofSeconds(6));
        schedule("good", "FIXED_RATE", "PT1H", null, Duration.ofSeconds(1));

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(6);

        assertThat(states())
                .containsExactly(
                        "bad cron FAILED",
                        "bad delay FAILED",
                        "bad kind FAILED",
                        "bad period FAILED",
                        "bad zone FAILED",
                        "good ACTIVE");
        assertThat(runs()).isEqualTo(1);
        assertThat(events).filteredOn(ScheduleFailed.class::isInstance).hasSize(5);
        assertThat(tables.text("select state_reason from scheduler.schedule where name = 'bad zone'"))
                .contains("Mars/Phobos");
    }

    @Test
    void batchOfNothingButUnreadableSchedulesIsNoTrouble() {
        schedule("bad", "FIXED_RATE", "soon", null, Duration.ofSeconds(7));

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(1);
        assertThat(ticks.enqueue(transactions.alone(TERM))).isZero();

        assertThat(states()).containsExactly("bad FAILED");
        assertThat(events).singleElement().isInstanceOf(ScheduleFailed.class);
    }

    @Test
    void ticksBeyondTheGraceAreRecordedAsSkipped() {
        schedule("behind", "FIXED_RATE", "PT30M", null, Duration.ofHours(5));

        assertThat(ticks.enqueue(transactions.alone(TERM))).isEqualTo(1);

        assertThat(missed()).containsExactly("behind 1795"); // from half an hour ago to 5 seconds ago
        assertThat(runs()).isEqualTo(1);
        assertThat(tables.texts("""
                select concat_ws('|', e.outcome, e.error_type, e.run_id, r.tick_at - e.tick_at,
                                 round(extract(epoch from r.tick_at - e.tick_until)))
                from scheduler.execution e, scheduler.run r
                """)).containsExactly("SKIPPED|misfire|05:00:00|3600");
        assertThat(tables.count("select count(*) from scheduler.schedule where next_tick_at > now()"))
                .isEqualTo(1);
    }

    @Test
    void fixedDelayGoesOnHoweverLateItIs() {
        schedule("delay", "FIXED_DELAY", "PT1S", null, Duration.ofDays(30));

        ticks.enqueue(transactions.alone(TERM));

        assertThat(runs()).isEqualTo(1);
        assertThat(tables.count("select count(*) from scheduler.execution")).isZero();
    }

    @Test
    void nothingIsEnqueuedInATermThatIsOver() {
        schedule("due", "FIXED_RATE", "PT1H", null, Duration.ZERO);
        tables.expireLeader();

        assertThatThrownBy(() -> ticks.enqueue(transactions.alone(TERM)))
                .isInstanceOf(TermOverException.class)
                .hasMessage("Term 1 is over");

        assertThat(runs()).isZero();
        assertThat(events).isEmpty();
    }
}
