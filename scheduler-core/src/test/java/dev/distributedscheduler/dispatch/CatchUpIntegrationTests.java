package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Missed ticks become runs: in order, one at a time, never in the way of live ones, and not too fast. */
@PostgresTest
@Timeout(60)
class CatchUpIntegrationTests {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private TestLeader leader;
    private TestTables tables;

    CatchUpIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void lead() {
        leader = new TestLeader(dataSource);
        tables = leader.tables();
    }

    @AfterEach
    void close() {
        leader.close();
    }

    private static Schedule schedule(SchedulePolicy policy) {
        return new Schedule("often", "job", new FixedRateTrigger(PERIOD)).with(policy);
    }

    /** Six missed ticks and a live one, whose run is there; returns the oldest tick. */
    private Instant missSix(SchedulePolicy policy) {
        leader.declare(schedule(policy));
        leader.setBack(Duration.ofMinutes(2));
        Instant oldest = tables.instant("select next_tick_at from scheduler.schedule");
        leader.dispatchAt(oldest.plusSeconds(62));
        assertThat(runs()).isEqualTo(1);
        return oldest;
    }

    private long runs() {
        return tables.count("select count(*) from scheduler.run");
    }

    private static List<Instant> ticks(Instant first, int count) {
        return Stream.iterate(first, tick -> tick.plus(PERIOD)).limit(count).toList();
    }

    private Duration untilReplay() {
        return Duration.between(tables.now(), tables.instant("select replay_at from scheduler.schedule"));
    }

    @Test
    void missedTicksAreReplayedInOrderAndTheLiveOneComesFirst() {
        Instant oldest = missSix(SchedulePolicy.DEFAULT);

        while (leader.owes() || runs() > 0) {
            leader.endRuns();
            leader.replayNow();
            assertThat(runs()).isLessThanOrEqualTo(1);
        }

        List<Instant> ended = leader.endedTicks();
        assertThat(ended.get(0)).isEqualTo(oldest.plus(PERIOD.multipliedBy(6)));
        assertThat(ended.subList(1, ended.size())).isEqualTo(ticks(oldest, 6));
        assertThat(tables.text("select concat_ws('|', state, replay_at, missed) from scheduler.schedule"))
                .isEqualTo("ACTIVE|{}");
    }

    @Test
    void replayWaitsWhileARunOfItsScheduleIsLive() {
        missSix(SchedulePolicy.DEFAULT);

        assertThat(leader.replay()).isZero();
        assertThat(untilReplay()).isBetween(Duration.ofMillis(1), Duration.ofMillis(1_500));
        tables.execute("update scheduler.run set state = 'SCHEDULED', run_at = now() + interval '1 hour'");
        assertThat(leader.replayNow()).isZero();

        tables.execute("delete from scheduler.run");
        assertThat(leader.replayNow()).isOne();
        assertThat(leader.replayNow()).isZero(); // behind the replay itself
    }

    @Test
    void replayDoesNotWaitWhereRunsMayOverlap() {
        missSix(SchedulePolicy.DEFAULT.with(Overlap.ALLOW));

        assertThat(leader.replayNow()).isOne();
        assertThat(leader.replayNow()).isOne();

        assertThat(tables.texts(
                        "select concat_ws(' ', state, replayed, concurrency_key) from scheduler.run order by id"))
                .containsExactly("READY f", "READY t", "READY t");
    }

    @Test
    void replaysPassTheLimitOfOverlappingRuns() {
        missSix(new SchedulePolicy(Misfire.REPLAY_ALL, null, Overlap.ALLOW, 2));
        leader.replayNow();
        leader.replayNow();

        leader.admit();

        assertThat(tables.texts("select concat_ws(' ', state, key_limit) from scheduler.run order by id"))
                .containsExactly("READY 2", "READY 2", "BLOCKED 2");
    }

    @Test
    void replayPassesTheLimitOfItsJob() {
        JobDefinition job = JobDefinition.of("job", run -> {});
        new JobStore(tables.database()).declare(List.of(job.with(job.policy().withMaxConcurrent(1))), 1);
        missSix(SchedulePolicy.DEFAULT);
        tables.execute("delete from scheduler.run");

        leader.replayNow();
        assertThat(tables.text("select state || ' ' || blocked_by from scheduler.run"))
                .isEqualTo("BLOCKED JOB");

        assertThat(leader.admit()).isOne();
    }

    /** With its tick's own age it would overtake whatever has been waiting for less. */
    @Test
    void placeOfAReplayCountsFromNow() {
        Instant oldest = missSix(SchedulePolicy.DEFAULT);
        tables.execute("delete from scheduler.run");
        tables.execute("update scheduler.schedule set priority = 10, queue = 'own', payload = 'some'");
        Instant before = tables.now();

        leader.replayNow();

        assertThat(tables.instant("select tick_at from scheduler.run")).isEqualTo(oldest);
        assertThat(tables.instant("select run_at from scheduler.run")).isBetween(before, tables.now());
        assertThat(tables.text("""
                select concat_ws('|', queue, priority, payload, state, run_at - place, key_limit, max_attempts)
                from scheduler.run
                """)).isEqualTo("own|10|some|READY|00:10:00|1|5");
    }

    @ParameterizedTest
    @CsvSource({"2, PT10S", "3, PT5S", "1.5, PT20S", "11, PT1S"})
    void replaysComeAtMostSoOftenThatTheRateIsKept(double rate, Duration pause) {
        missSix(SchedulePolicy.DEFAULT);
        tables.execute("delete from scheduler.run");
        leader.catchUpAtRate(rate);

        assertThat(leader.replay()).isOne();

        assertThat(untilReplay()).isBetween(pause.minusSeconds(1), pause);
        tables.execute("delete from scheduler.run");
        assertThat(leader.replay()).isZero();
    }

    /** A cron's period differs from tick to tick; that to the tick which follows the replayed one counts. */
    @Test
    void paceIsThatOfTheScheduleItself() {
        leader.declare(new Schedule("halves", "job", CronTrigger.of("0 0,20 * * * *", "UTC")));
        Instant hour = tables.now().truncatedTo(ChronoUnit.HOURS);
        tables.execute("""
                update scheduler.schedule
                set missed = tstzmultirange(tstzrange('%s', '%s')), replay_at = now()
                """.formatted(hour.minus(Duration.ofHours(2)), hour.minus(Duration.ofHours(1))));

        assertThat(leader.replay()).isOne();
        assertThat(untilReplay()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(20));

        tables.execute("delete from scheduler.run");
        assertThat(leader.replayNow()).isOne();
        assertThat(leader.owes()).isFalse();
    }

    @Test
    void onlyTheLatestIsReplayedWhereThatIsThePolicy() {
        leader.declare(schedule(SchedulePolicy.DEFAULT.with(Misfire.REPLAY_LATEST)));
        leader.setBack(Duration.ofMinutes(2));
        Instant oldest = tables.instant("select next_tick_at from scheduler.schedule");

        leader.dispatchAt(oldest.plusSeconds(66)); // no live tick

        Instant latest = oldest.plus(PERIOD.multipliedBy(6));
        assertThat(tables.instant("select tick_at from scheduler.execution")).isEqualTo(oldest);
        assertThat(tables.text("select concat_ws('|', outcome, error_type, error_message) from scheduler.execution"))
                .isEqualTo("SKIPPED|misfire|it was missed, and not to be made up for");
        assertThat(tables.instant("select tick_until from scheduler.execution")).isEqualTo(latest);
        assertThat(leader.replay()).isOne();
        leader.endRuns();
        assertThat(leader.endedTicks()).containsExactly(latest);
        assertThat(leader.owes()).isFalse();
    }

    @Test
    void pausedScheduleReplaysNothingUntilItIsResumed() {
        missSix(SchedulePolicy.DEFAULT);
        tables.execute("delete from scheduler.run");
        tables.execute("update scheduler.schedule set state = 'PAUSED'");
        assertThat(leader.replayNow()).isZero();

        tables.execute("update scheduler.schedule set state = 'ACTIVE'");

        assertThat(leader.replayNow()).isOne();
    }

    @Test
    void tickThatAlreadyHasARunIsNotReplayedBesideIt() {
        Instant oldest = missSix(SchedulePolicy.DEFAULT.with(Overlap.ALLOW));
        tables.execute("update scheduler.run set tick_at = '%s'".formatted(oldest));

        assertThat(leader.replayNow()).isZero();

        assertThat(runs()).isEqualTo(1);
        assertThat(leader.replayNow()).isOne();
        assertThat(tables.count("select count(distinct tick_at) from scheduler.run"))
                .isEqualTo(2);
    }

    @Test
    void unreadableScheduleIsSetAsideAndTheOthersGoOn() {
        leader.declare(schedule(SchedulePolicy.DEFAULT), new Schedule("bad", "job", new FixedRateTrigger(PERIOD)));
        leader.setBack(Duration.ofMinutes(2));
        leader.dispatchAt(tables.instant("select min(next_tick_at) from scheduler.schedule")
                .plusSeconds(66));
        tables.execute("update scheduler.schedule set trigger_expression = 'soon' where name = 'bad'");

        assertThat(leader.replay()).isOne();

        assertThat(tables.texts("select name || ' ' || state from scheduler.schedule order by name"))
                .containsExactly("bad FAILED", "often ACTIVE");
        assertThat(leader.events()).containsExactly(new ScheduleFailed("bad", "Text cannot be parsed to a Duration"));
    }

    @Test
    void ticksOfABeanAreLeftToALeaderThatHasIt() {
        TriggerBeans beans = new TriggerBeans(Map.of("tens", context -> {
            Instant after = context.getClock().instant();
            return after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(10 - after.getEpochSecond() % 10);
        }));
        leader.declare(new Schedule("by bean", "job", beans.get("tens")));
        leader.setBack(Duration.ofSeconds(66));
        assertThat(leader.dispatch()).isZero();

        leader.use(beans);
        assertThat(leader.dispatch()).isOne();
        tables.execute("delete from scheduler.run");

        leader.use(TriggerBeans.NONE);
        assertThat(leader.replayNow()).isZero();
        leader.use(beans);
        assertThat(leader.replayNow()).isOne();
    }
}
