package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.SchedulesRetired;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the leader does for schedules once a minute. */
@PostgresTest
class HousekeeperIntegrationTests {

    private static final UUID NODE = new UUID(0, 1);
    private static final Term TERM = new Term(NODE, 1);

    private final DataSource dataSource;
    private final List<SchedulerEvent> events = new ArrayList<>();
    private long nanoTime;
    private TestTables tables;
    private Housekeeper housekeeper;

    HousekeeperIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void lead() {
        tables = new TestTables(dataSource);
        new LeaseStore(tables.database()).acquire(NODE, TestTables.HOUR);
        housekeeper = new Housekeeper(
                new FencedTransactions(tables.database(), Duration.ofSeconds(5)),
                DispatchSettings.DEFAULT,
                new Means(tables.database(), TriggerBeans.NONE, events::add, () -> nanoTime));
        new ScheduleStore(tables.database())
                .declare(List.of(new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(1)))), 1);
    }

    private int keepAMinuteLater() {
        nanoTime += Duration.ofMinutes(1).toNanos();
        return housekeeper.keep(TERM);
    }

    @Test
    void undeclaredSchedulesAreNotedThenRetiredAndTold() {
        housekeeper.keep(TERM);
        assertThat(tables.count("select count(undeclared_since) from scheduler.schedule"))
                .isOne();
        tables.execute("update scheduler.schedule set undeclared_since = now() - interval '61 minutes'");

        housekeeper.keep(TERM);
        assertThat(events).isEmpty(); // not yet time to look again
        keepAMinuteLater();

        assertThat(events).containsExactly(new SchedulesRetired(List.of("report")));
        assertThat(tables.text("select state from scheduler.schedule")).isEqualTo("RETIRED");
        keepAMinuteLater();
        assertThat(events).hasSize(1);
    }

    @Test
    void registeredSchedulesThatEndedAreForgottenAfterADay() {
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, state, updated_at)
                values ('old', 'job', 'ONCE', '2026-01-01T00:00:00Z', 'ENDED', now() - interval '25 hours'),
                       ('new', 'job', 'ONCE', '2026-01-01T00:00:00Z', 'ENDED', now() - interval '23 hours')
                """);

        assertThat(housekeeper.keep(TERM)).isOne();

        assertThat(tables.texts("select name from scheduler.schedule order by name"))
                .containsExactly("new", "report");
    }
}
