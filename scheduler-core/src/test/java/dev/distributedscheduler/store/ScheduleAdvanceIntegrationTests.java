package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.store.ScheduleStore.Advance;
import dev.distributedscheduler.store.ScheduleStore.DueSchedule;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;

/** One run per schedule and tick, whoever believes to be the leader. */
@PostgresTest
@Timeout(60)
class ScheduleAdvanceIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;

    ScheduleAdvanceIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
    }

    private void declare(Duration period, String... names) {
        JobDefinition job = JobDefinition.of("job", run -> {}).withPriority(Priority.HIGH);
        List<Schedule> declared = new ArrayList<>();
        for (String name : names) {
            declared.add(new Schedule(name, "job", new FixedRateTrigger(period)));
        }
        schedules.declare(declared, new JobRegistry(List.of(job)));
    }

    private void setBack(Duration late) {
        tables.execute("update scheduler.schedule set next_tick_at = now() - interval '%d milliseconds'"
                .formatted(late.toMillis()));
    }

    private List<Advance> due() {
        Instant now = tables.now();
        return schedules.lockDue(100).stream()
                .map(due -> TestTicks.advance(due, now))
                .toList();
    }

    private long runs() {
        return tables.count("select count(*) from scheduler.run");
    }

    @Test
    void dueTickBecomesARun() {
        declare(Duration.ofHours(1), "report");
        tables.execute("update scheduler.schedule set payload = 'some'");
        Instant tick = tables.instant("select next_tick_at from scheduler.schedule");

        assertThat(schedules.advance(due())).containsExactlyEntriesOf(Map.of("default", 1));

        assertThat(tables.text("""
                select concat_ws('|', job, queue, state, priority, payload, attempt, max_attempts) from scheduler.run
                """)).isEqualTo("job|default|READY|10|some|0|5");
        assertThat(tables.instant("select tick_at from scheduler.run")).isEqualTo(tick);
        assertThat(tables.instant("select run_at from scheduler.run")).isEqualTo(tick);
        assertThat(tables.instant("select place from scheduler.run")).isEqualTo(tick.minusSeconds(600));
        assertThat(tables.instant("select last_tick_at from scheduler.schedule"))
                .isEqualTo(tick);
        assertThat(tables.instant("select next_tick_at from scheduler.schedule"))
                .isEqualTo(tick.plusSeconds(3600));
    }

    @Test
    void repeatingAnAdvanceAfterALostReplyDoesNothing() {
        declare(Duration.ofSeconds(1), "one", "two");
        setBack(Duration.ofSeconds(10));
        List<Advance> advances = due();
        assertThat(schedules.advance(advances)).isNotEmpty();
        long runs = runs();
        tables.execute("delete from scheduler.run");

        assertThat(schedules.advance(advances)).isEmpty();

        assertThat(runs).isEqualTo(22);
        assertThat(runs()).isZero();
    }

    @Test
    void scheduleThatWasPausedMeanwhileYieldsNothing() {
        declare(Duration.ofSeconds(1), "paused");
        List<Advance> advances = due();
        tables.execute("update scheduler.schedule set state = 'PAUSED'");

        assertThat(schedules.advance(advances)).isEmpty();
        assertThat(runs()).isZero();
    }

    @Test
    void mostOverdueComesFirstAndNothingBeforeItsTime() {
        declare(Duration.ofHours(1), "late", "later", "paused", "future");
        tables.execute("update scheduler.schedule set next_tick_at = now() - interval '1 minute'");
        tables.execute(
                "update scheduler.schedule set next_tick_at = now() - interval '2 minutes' where name = 'later'");
        tables.execute("update scheduler.schedule set state = 'PAUSED' where name = 'paused'");
        tables.execute(
                "update scheduler.schedule set next_tick_at = now() + interval '1 minute' where name = 'future'");

        assertThat(schedules.lockDue(10)).extracting(DueSchedule::name).containsExactly("later", "late");
        assertThat(schedules.lockDue(1)).extracting(DueSchedule::name).containsExactly("later");
    }

    @Test
    void dueScheduleThatSomebodyIsChangingIsLeftOut() throws SQLException {
        declare(Duration.ofHours(1), "one", "two");
        try (OpenTransaction change = new OpenTransaction(dataSource)) {
            change.database()
                    .sql("update scheduler.schedule set state = 'PAUSED' where name = 'one'")
                    .update();

            assertThat(schedules.lockDue(10)).extracting(DueSchedule::name).containsExactly("two");
        }
    }

    /** Runs leave the queue meanwhile, so that its unique index alone would not be enough. */
    @Test
    void fourLeadersAtOnceMakeOneRunPerTick() {
        declare(Duration.ofMillis(500), "one", "two", "three");
        setBack(Duration.ofMinutes(15));
        tables.execute("create table executed (schedule_id bigint, tick_at timestamptz)");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<CompletableFuture<Void>> leaders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            leaders.add(CompletableFuture.runAsync(this::leadWithoutLocks, threads));
        }
        leaders.forEach(CompletableFuture::join);
        threads.shutdown();
        executeRuns(tables.database());

        assertThat(runs()).isZero();
        assertThat(tables.count("select count(distinct (schedule_id, tick_at)) from executed"))
                .isEqualTo(tables.count("select count(*) from executed"))
                .isGreaterThan(5_400);
        assertThat(tables.texts("""
                select schedule_id from executed group by schedule_id
                having count(*) <> (extract(epoch from max(tick_at) - min(tick_at)) / 0.5) + 1
                """)).isEmpty();
    }

    /** Each statement is its own transaction: the locks of {@code lockDue} are gone before anything is advanced. */
    private void leadWithoutLocks() {
        try (DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20))) {
            Database database = new Database(connection, Database.DEFAULT_SCHEMA);
            ScheduleStore own = new ScheduleStore(database);
            Instant end = tables.now();
            for (boolean behind = true; behind; ) {
                List<DueSchedule> due = own.lockDue(10);
                due.forEach(schedule -> own.advance(List.of(TestTicks.advance(schedule, end))));
                executeRuns(database);
                behind = due.stream().anyMatch(schedule -> schedule.nextTick().isBefore(end));
            }
        }
    }

    private static void executeRuns(Database database) {
        database.sql("""
                with done as (
                    delete from scheduler.run where id in (select id from scheduler.run for update skip locked)
                    returning schedule_id, tick_at
                )
                insert into executed (schedule_id, tick_at) select schedule_id, tick_at from done
                """).update();
    }

    @Test
    void databaseRefusesASecondRunOfATick() {
        declare(Duration.ofHours(1), "report");
        schedules.advance(due());

        assertThatThrownBy(() -> tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, schedule_id, tick_at, max_attempts)
                select job, queue, 'READY', priority, place, run_at, schedule_id, tick_at, max_attempts from scheduler.run
                """))
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("run_tick");
    }

    @Test
    void databaseRefusesToMoveAScheduleBack() {
        declare(Duration.ofHours(1), "report");
        schedules.advance(due());

        assertThatThrownBy(() -> tables.execute("update scheduler.schedule set next_tick_at = last_tick_at"))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void scheduleIsSetAsideOnce() {
        declare(Duration.ofHours(1), "bad", "good");
        long id = tables.count("select id from scheduler.schedule where name = 'bad'");

        assertThat(schedules.isolate(id, "unreadable")).isTrue();
        assertThat(schedules.isolate(id, "again")).isFalse();

        assertThat(tables.texts(
                        "select concat_ws('|', name, state, state_reason) from scheduler.schedule order by name"))
                .containsExactly("bad|FAILED|unreadable", "good|ACTIVE");
        assertThat(schedules.lockDue(10)).extracting(DueSchedule::name).containsExactly("good");
    }
}
