package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.BeanTrigger;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Schedule.Work;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What replicas declare at start-up, and what becomes of the rows that are there. */
@PostgresTest
@Timeout(60)
class ScheduleDeclarationIntegrationTests {

    private static final Trigger HOURLY = new FixedRateTrigger(Duration.ofHours(1));
    private static final Trigger DAILY = CronTrigger.of("0 0 3 * * *", "Europe/Paris");

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;

    ScheduleDeclarationIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
    }

    private void declare(Trigger trigger) {
        declare(new Schedule("report", "job", trigger));
    }

    private void declare(Schedule schedule) {
        schedules.declare(List.of(schedule), 1);
    }

    private void switchOff() {
        declare(new Schedule("report", "job", null));
    }

    private String row() {
        return tables.text("""
                select concat_ws('|', name, job, queue, priority, payload, trigger_kind, trigger_expression, zone, dst_gap,
                                 dst_overlap, misfire, misfire_grace, overlap, max_overlap, state)
                from scheduler.schedule
                """);
    }

    private Instant nextTick() {
        return tables.instant("select next_tick_at from scheduler.schedule");
    }

    private void setBack() {
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = now() - interval '10 minutes', next_tick_at = now() - interval '5 minutes',
                    updated_at = now() - interval '1 day'
                """);
    }

    @Test
    void newScheduleStandsAtItsFirstTick() {
        Instant before = tables.now();

        declare(new Schedule("report", "job", HOURLY, Duration.ofSeconds(30)));

        assertThat(row()).isEqualTo("report|job|FIXED_RATE|PT1H|REPLAY_ALL|SKIP|ACTIVE");
        assertThat(nextTick()).isBetween(before.plusSeconds(30), tables.now().plusSeconds(30));
    }

    @Test
    void cronIsStoredWithItsZone() {
        declare(DAILY);

        assertThat(row()).isEqualTo("report|job|CRON|0 0 3 * * *|Europe/Paris|RUN_AFTER|ONCE|REPLAY_ALL|SKIP|ACTIVE");
        assertThat(nextTick()).isEqualTo(DAILY.next(tables.now()));
    }

    @Test
    void unchangedScheduleKeepsItsPlaceAndItsRowIsNotWritten() {
        declare(HOURLY);
        setBack();
        String before = tables.text("select s::text from scheduler.schedule s");

        declare(HOURLY);

        assertThat(tables.text("select s::text from scheduler.schedule s")).isEqualTo(before);
    }

    @Test
    void changedPolicyLeavesThePlaceInTime() {
        declare(HOURLY);
        setBack();
        Instant place = nextTick();

        declare(new Schedule(
                ScheduleKey.of("report"),
                "other job",
                Timing.of(HOURLY),
                Duration.ZERO,
                new SchedulePolicy(Misfire.REPLAY_LATEST, Duration.ofMinutes(7), Overlap.ALLOW, 3),
                new Work("some", "slow", Priority.HIGH)));

        assertThat(row())
                .isEqualTo("report|other job|slow|10|some|FIXED_RATE|PT1H|REPLAY_LATEST|00:07:00|ALLOW|3|ACTIVE");
        assertThat(nextTick()).isEqualTo(place);
    }

    @Test
    void changedTriggerStartsAnew() {
        declare(HOURLY);
        setBack();

        declare(DAILY);

        assertThat(row()).contains("CRON|0 0 3 * * *|Europe/Paris");
        assertThat(nextTick()).isEqualTo(DAILY.next(tables.now()));
    }

    @Test
    void changedTriggerNeverHandsOutATickAgain() {
        declare(HOURLY);
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = now() + interval '1 hour', next_tick_at = now() + interval '2 hours'
                """);

        declare(new FixedRateTrigger(Duration.ofMinutes(1)));

        assertThat(tables.count("""
                select count(*) from scheduler.schedule where next_tick_at = last_tick_at + interval '1 microsecond'
                """)).isEqualTo(1);
    }

    @Test
    void scheduleThatIsSwitchedOffIsRetiredAndCanComeBack() {
        declare(HOURLY);

        switchOff();
        assertThat(tables.text("select concat_ws('|', state, state_reason, next_tick_at) from scheduler.schedule"))
                .isEqualTo("RETIRED|switched off");

        declare(HOURLY);
        assertThat(tables.text("select concat_ws('|', state, state_reason) from scheduler.schedule"))
                .isEqualTo("ACTIVE");
        assertThat(nextTick()).isNotNull();
    }

    @Test
    void scheduleThatWasSwitchedOffFromTheStartHasNoRow() {
        switchOff();

        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
    }

    @Test
    void scheduleThatWasSetAsideComesBack() {
        declare(HOURLY);
        tables.execute("update scheduler.schedule set state = 'FAILED', state_reason = 'bad', next_tick_at = null");

        declare(HOURLY);

        assertThat(tables.text("select concat_ws('|', state, state_reason) from scheduler.schedule"))
                .isEqualTo("ACTIVE");
        assertThat(nextTick()).isNotNull();
    }

    @Test
    void pausedScheduleStaysPausedEvenWithANewTrigger() {
        declare(HOURLY);
        tables.execute("update scheduler.schedule set state = 'PAUSED', state_reason = 'by hand'");

        declare(HOURLY);
        declare(DAILY);

        assertThat(tables.text("select concat_ws('|', state, state_reason, trigger_kind) from scheduler.schedule"))
                .isEqualTo("PAUSED|by hand|CRON");
    }

    @Test
    void schedulesThatOnlyOthersDeclareAreLeftAlone() {
        declare(HOURLY);

        schedules.declare(List.of(), 1);

        assertThat(row()).endsWith("ACTIVE");
    }

    @Test
    void nothingIsStoredWhenOneOfThemNeverFires() {
        List<Schedule> declared = List.of(
                new Schedule("report", "job", HOURLY),
                new Schedule("never", "job", CronTrigger.of("0 0 0 31 2 *", "UTC")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.declare(declared, 1))
                .withMessageContaining("never fires");
        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
    }

    @Test
    void scheduleOfABeanThatYieldsNothingMoreHasEnded() {
        AtomicReference<Instant> answer = new AtomicReference<>();
        Trigger bean = new BeanTrigger("bean", context -> answer.get());

        declare(bean);
        assertThat(row()).isEqualTo("report|job|BEAN|bean|REPLAY_ALL|SKIP|ENDED");

        answer.set(tables.now().plusSeconds(60));
        declare(bean);
        assertThat(row()).as("the same declaration").endsWith("ENDED");
        declare(HOURLY);
        assertThat(row()).endsWith("ACTIVE");
    }

    @Test
    void tenNodesDeclareAtOnceInAnyOrder() {
        Random random = new Random(7);
        ExecutorService threads = Executors.newFixedThreadPool(10);
        for (int round = 1; round <= 5; round++) {
            Trigger trigger = new FixedRateTrigger(Duration.ofHours(round));
            List<CompletableFuture<Void>> nodes = new ArrayList<>();
            for (int node = 0; node < 10; node++) {
                List<Schedule> declared = new ArrayList<>(IntStream.range(0, 100)
                        .mapToObj(i -> new Schedule("schedule-" + i, "job", trigger))
                        .toList());
                Collections.shuffle(declared, random);
                nodes.add(CompletableFuture.runAsync(() -> schedules.declare(declared, 1), threads));
            }
            nodes.forEach(CompletableFuture::join);

            assertThat(tables.texts("select distinct trigger_expression from scheduler.schedule"))
                    .containsExactly(trigger.expression());
        }
        threads.shutdown();

        assertThat(tables.count("select count(*) from scheduler.schedule")).isEqualTo(100);
    }
}
