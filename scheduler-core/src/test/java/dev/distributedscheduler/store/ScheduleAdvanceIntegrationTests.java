package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.Dispatched;
import dev.distributedscheduler.store.DueTicks.DueSchedule;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
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

    private static final Duration ALL_ARE_LIVE = Duration.ofHours(1);

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;
    private DueTicks ticks;

    ScheduleAdvanceIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
        ticks = new DueTicks(tables.database());
    }

    private void declare(Duration period, String... names) {
        declare(SchedulePolicy.DEFAULT, period, names);
    }

    private void declare(SchedulePolicy policy, Duration period, String... names) {
        List<Schedule> declared = new ArrayList<>();
        for (String name : names) {
            declared.add(new Schedule(name, "job", new FixedRateTrigger(period)).with(policy));
        }
        schedules.declare(declared, 1);
    }

    private void declareJob(UnaryOperator<JobDefinition> policy) {
        new JobStore(tables.database()).declare(List.of(policy.apply(JobDefinition.of("job", run -> {}))), 1);
    }

    private void setBack(Duration late) {
        tables.execute("update scheduler.schedule set next_tick_at = now() - interval '%d milliseconds'"
                .formatted(late.toMillis()));
    }

    private List<Advance> due() {
        Instant now = tables.now();
        return ticks.lockDue(Set.of(), null, 100).stream()
                .map(due -> TestTicks.advance(due, now, ALL_ARE_LIVE))
                .toList();
    }

    private List<String> due(int most) {
        return ticks.lockDue(Set.of(), null, most).stream()
                .map(schedule -> schedule.key().name())
                .toList();
    }

    private long runs() {
        return tables.count("select count(*) from scheduler.run");
    }

    @Test
    void dueTickBecomesARun() {
        declareJob(job -> job.withPriority(Priority.HIGH).withMaxAttempts(7));
        declare(Duration.ofHours(1), "report");
        tables.execute("update scheduler.schedule set payload = 'some'");
        Instant tick = tables.instant("select next_tick_at from scheduler.schedule");

        assertThat(ticks.advance(due())).isEqualTo(new Dispatched(Map.of("default", 1), 0));

        assertThat(tables.text("""
                select concat_ws('|', job, queue, state, priority, payload, attempt, max_attempts) from scheduler.run
                """)).isEqualTo("job|default|READY|10|some|0|7");
        assertThat(tables.instant("select tick_at from scheduler.run")).isEqualTo(tick);
        assertThat(tables.instant("select run_at from scheduler.run")).isEqualTo(tick);
        assertThat(tables.instant("select place from scheduler.run")).isEqualTo(tick.minusSeconds(600));
        assertThat(tables.instant("select last_tick_at from scheduler.schedule"))
                .isEqualTo(tick);
        assertThat(tables.instant("select next_tick_at from scheduler.schedule"))
                .isEqualTo(tick.plusSeconds(3600));
    }

    @Test
    void runHasWhatItsJobSaysNowUnlessItsScheduleSaysOtherwise() {
        declare(Duration.ofHours(1), "as the job says", "otherwise");
        tables.execute("update scheduler.schedule set queue = 'own', priority = 60 where name = 'otherwise'");
        declareJob(job -> job.withQueue("slow").withPriority(Priority.HIGH).withMaxAttempts(2));

        assertThat(ticks.advance(due())).isEqualTo(new Dispatched(Map.of("slow", 1, "own", 1), 0));

        assertThat(tables.texts("""
                select concat_ws('|', s.name, r.queue, r.priority, r.max_attempts, r.tick_at - r.place)
                from scheduler.run r join scheduler.schedule s on s.id = r.schedule_id order by s.name
                """))
                .containsExactly("as the job says|slow|10|2|00:10:00", "otherwise|own|60|2|01:00:00");
    }

    @Test
    void skippedTicksAreRecordedInTheQueueThatTheirRunsWouldHaveHad() {
        declareJob(job -> job.withQueue("slow"));
        declare(SchedulePolicy.DEFAULT.with(Misfire.SKIP), Duration.ofHours(1), "as the job says", "otherwise");
        tables.execute("update scheduler.schedule set queue = 'own' where name = 'otherwise'");
        setBack(Duration.ofMinutes(30));

        TestTicks.dispatch(tables.database());

        assertThat(tables.texts("select queue || ' ' || error_type from scheduler.execution order by queue"))
                .containsExactly("own misfire", "slow misfire");
    }

    @Test
    void runOfAJobThatNobodyDeclaredHasTheDefaults() {
        declare(Duration.ofHours(1), "report");

        ticks.advance(due());

        assertThat(tables.text("select concat_ws('|', queue, state, priority, max_attempts) from scheduler.run"))
                .isEqualTo("default|READY|0|5");
    }

    @Test
    void repeatingAnAdvanceAfterALostReplyDoesNothing() {
        declare(Duration.ofSeconds(10), "one", "two");
        setBack(Duration.ofSeconds(100));
        List<Advance> advances = due();
        assertThat(TestTicks.sum(ticks.advance(advances))).isEqualTo(22);
        long runs = runs();
        tables.execute("delete from scheduler.run");

        assertThat(ticks.advance(advances)).isEqualTo(Dispatched.NOTHING);

        assertThat(runs).isEqualTo(22);
        assertThat(runs()).isZero();
    }

    @Test
    void scheduleThatWasPausedMeanwhileYieldsNothing() {
        declare(Duration.ofSeconds(1), "paused");
        List<Advance> advances = due();
        tables.execute("update scheduler.schedule set state = 'PAUSED'");

        assertThat(ticks.advance(advances)).isEqualTo(Dispatched.NOTHING);
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

        assertThat(due(10)).containsExactly("later", "late");
        assertThat(due(1)).containsExactly("later");
    }

    @Test
    void dueScheduleThatSomebodyIsChangingIsLeftOut() throws SQLException {
        declare(Duration.ofHours(1), "one", "two");
        try (OpenTransaction change = new OpenTransaction(dataSource)) {
            change.database()
                    .sql("update scheduler.schedule set state = 'PAUSED' where name = 'one'")
                    .update();

            assertThat(due(10)).containsExactly("two");
        }
    }

    /** Runs leave the queue meanwhile, so that its unique index alone would not be enough. */
    @Test
    void fourLeadersAtOnceMakeOneRunPerTick() {
        declare(SchedulePolicy.DEFAULT.with(Overlap.ALLOW), Duration.ofMillis(500), "one", "two", "three");
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
            DueTicks own = new DueTicks(database);
            Instant end = tables.now();
            for (boolean behind = true; behind; ) {
                List<DueSchedule> due = own.lockDue(Set.of(), null, 10);
                List<DueSchedule> late = due.stream()
                        .filter(schedule -> !schedule.nextTick().isAfter(end))
                        .toList();
                late.forEach(schedule -> own.advance(List.of(TestTicks.advance(schedule, end, ALL_ARE_LIVE))));
                executeRuns(database);
                behind = !late.isEmpty();
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
        ticks.advance(due());

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
        ticks.advance(due());

        assertThatThrownBy(() -> tables.execute("update scheduler.schedule set next_tick_at = last_tick_at"))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void scheduleIsSetAsideOnce() {
        declare(Duration.ofHours(1), "bad", "good");
        long id = tables.count("select id from scheduler.schedule where name = 'bad'");

        assertThat(ticks.isolate(id, "unreadable")).isTrue();
        assertThat(ticks.isolate(id, "again")).isFalse();

        assertThat(tables.texts(
                        "select concat_ws('|', name, state, state_reason) from scheduler.schedule order by name"))
                .containsExactly("bad|FAILED|unreadable", "good|ACTIVE");
        assertThat(due(10)).containsExactly("good");
    }
}
