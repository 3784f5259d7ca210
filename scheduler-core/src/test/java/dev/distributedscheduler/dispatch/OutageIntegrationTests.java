package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leaders come and go; each tick has its run, once, and the schedule ends when nothing is left of it. */
@PostgresTest
@Timeout(60)
class OutageIntegrationTests {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private TestLeader leader;
    private TestTables tables;
    private Instant start;

    OutageIntegrationTests(DataSource dataSource) {
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

    private void startAgo(Duration ago, Schedule schedule) {
        leader.declare(schedule);
        leader.setBack(ago);
        start = tables.instant("select next_tick_at from scheduler.schedule");
    }

    private static Schedule schedule(Overlap overlap) {
        return new Schedule("often", "job", new FixedRateTrigger(PERIOD)).with(SchedulePolicy.DEFAULT.with(overlap));
    }

    /** A schedule that started some time ago and ends, or has ended, some time after that. */
    private void startAgo(Duration ago, Trigger trigger, Duration end) {
        startAgo(ago, new Schedule("ending", "job", trigger));
        tables.execute("update scheduler.schedule set ends_at = '%s'".formatted(start.plus(end)));
    }

    private List<Instant> ticks(int first, int count) {
        return Stream.iterate(start.plus(PERIOD.multipliedBy(first)), tick -> tick.plus(PERIOD))
                .limit(count)
                .toList();
    }

    private List<String> missed() {
        return tables.texts("""
                select extract(epoch from lower(m) - '%1$s')::int || ' ' || extract(epoch from upper(m) - '%1$s')::int
                from scheduler.schedule, unnest(missed) m
                """.formatted(start));
    }

    private void catchUp() {
        for (boolean busy = true; busy; ) {
            busy = leader.admit() + leader.endRuns() + leader.replayNow() > 0 || leader.owes();
        }
    }

    @Test
    void secondOutageAddsToWhatIsStillOwedOfTheFirst() {
        startAgo(Duration.ofMinutes(30), schedule(Overlap.SKIP));
        leader.dispatchAt(start.plusSeconds(101)); // 0 to 90 are missed, 100 is live
        assertThat(missed()).containsExactly("0 96");
        leader.endRuns();
        leader.replayNow();
        leader.endRuns();
        leader.replayNow();
        leader.endRuns();
        assertThat(missed()).containsExactly("20 96");

        leader.dispatchAt(start.plusSeconds(202)); // 110 to 190 are missed, 200 is live
        assertThat(missed()).containsExactly("20 96", "110 197");
        catchUp();

        Stream<Instant> inOrder = Stream.of(ticks(10, 1), ticks(0, 2), ticks(20, 1), ticks(2, 8), ticks(11, 9))
                .flatMap(List::stream);
        assertThat(leader.endedTicks()).containsExactlyElementsOf(inOrder.toList());
    }

    /** Ranges that touch become one, and its ticks are still told apart. */
    @Test
    void outageRightAfterAnotherLosesNothing() {
        startAgo(Duration.ofMinutes(30), schedule(Overlap.SKIP));
        leader.dispatchAt(start.plusSeconds(95)); // 90 is exactly as late as a live tick may be
        assertThat(missed()).containsExactly("0 90");

        leader.dispatchAt(start.plusSeconds(106));
        assertThat(missed()).containsExactly("0 90", "100 101");
        catchUp();

        assertThat(leader.endedTicks()).hasSize(11).containsExactlyInAnyOrderElementsOf(ticks(0, 11));
    }

    /** Time goes on in random steps; now and then nobody leads, the workers are slow, and catching up is interrupted. */
    @ParameterizedTest
    @EnumSource(Overlap.class)
    void everyTickHasOneRunOrOneReasonHoweverOftenTheLeaderIsAway(Overlap overlap) {
        Random random = new Random(overlap.ordinal());
        startAgo(Duration.ofMinutes(50), schedule(overlap));
        Instant now = start;
        for (int step = 0; step < 60 && now.isBefore(start.plusSeconds(2_900)); step++) {
            now = now.plusMillis(random.nextInt(random.nextInt(4) == 0 ? 180_000 : 15_000));
            leader.dispatchAt(now);
            for (int i = random.nextInt(4); i > 0; i--) {
                leader.replayNow();
                leader.admit();
                if (random.nextBoolean()) {
                    leader.endRuns();
                }
            }
        }
        Instant next = tables.instant("select next_tick_at from scheduler.schedule");
        catchUp();

        tables.execute("""
                create or replace view fate as
                select tick_at from ended union all select tick_at from scheduler.execution
                """);
        assertThat(tables.count("select count(*) from fate"))
                .isEqualTo(tables.count("select count(distinct tick_at) from fate"))
                .isEqualTo(Duration.between(start, next).dividedBy(PERIOD))
                .isGreaterThan(100);
        assertThat(tables.texts("select distinct error_type from scheduler.execution"))
                .isEqualTo(overlap == Overlap.SKIP ? List.of("overlap") : List.of());
        assertThat(tables.count("select count(*) from ended")).isGreaterThan(100);
    }

    @Test
    void tenThousandMissedTicksAreReplayedOnceEach() {
        leader.declare(IntStream.range(0, 100)
                .mapToObj(i -> new Schedule("schedule-" + i, "job", new FixedRateTrigger(PERIOD)))
                .toArray(Schedule[]::new));
        leader.setBack(Duration.ofMinutes(20));
        leader.dispatchAt(tables.instant("select min(next_tick_at) from scheduler.schedule")
                .plusSeconds(1_006));

        while (leader.owes()) {
            leader.replayNow();
            leader.endRuns();
        }

        assertThat(tables.texts("""
                select distinct count(*) || ' ' || count(distinct tick_at) || ' ' || max(tick_at) - min(tick_at)
                from ended group by schedule_id
                """)).containsExactly("101 101 00:16:40");
        assertThat(tables.count("""
                select count(*) from ended a join ended b using (schedule_id) where a.id < b.id and a.tick_at >= b.tick_at
                """)).isZero();
    }

    @Test
    void scheduleEndsWithItsLastTick() {
        startAgo(Duration.ofMinutes(1), new FixedRateTrigger(PERIOD), PERIOD);

        leader.dispatchAt(start.plusSeconds(1));

        assertThat(leader.state()).isEqualTo("ENDED");
        assertThat(tables.count("select count(next_tick_at) from scheduler.schedule"))
                .isZero();
        assertThat(leader.endRuns()).isOne();
    }

    @Test
    void oneTimeScheduleEndsWithItsTick() {
        leader.declare(new Schedule("once", "job", new OnceTrigger(tables.now())));

        leader.dispatch();

        assertThat(leader.state()).isEqualTo("ENDED");
        assertThat(leader.endRuns()).isOne();
    }

    @Test
    void scheduleEndsAfterItsLastReplay() {
        startAgo(Duration.ofMinutes(1), new FixedRateTrigger(PERIOD), Duration.ofSeconds(25));
        leader.dispatch(); // 0, 10 and 20 are owed
        tables.execute("update scheduler.schedule set updated_at = now() - interval '2 days'");

        leader.replayNow();
        leader.endRuns();
        leader.replayNow();
        leader.endRuns();
        assertThat(leader.state()).isEqualTo("ACTIVE");
        leader.replayNow();

        assertThat(leader.state()).isEqualTo("ENDED");
        leader.endRuns();
        assertThat(leader.endedTicks()).isEqualTo(ticks(0, 3));
        assertThat(tables.count(
                        "select count(*) from scheduler.schedule where updated_at > now() - interval '1 minute'"))
                .as("what has just ended is not forgotten at once")
                .isOne();
    }

    @Test
    void lastTickDoesNotEndAScheduleThatStillOwesOthers() {
        startAgo(Duration.ofMinutes(30), new FixedRateTrigger(PERIOD), Duration.ofSeconds(111));
        leader.dispatchAt(start.plusSeconds(101)); // all but 110 are missed or live
        assertThat(missed()).containsExactly("0 96");
        leader.endRuns();

        leader.dispatchAt(start.plusSeconds(111));
        assertThat(leader.state()).isEqualTo("ACTIVE");
        catchUp();

        assertThat(leader.state()).isEqualTo("ENDED");
        assertThat(leader.endedTicks()).containsExactlyInAnyOrderElementsOf(ticks(0, 12));
    }

    @Test
    void fixedDelayEndsAtTheFirstTickPastItsEnd() {
        startAgo(Duration.ZERO, new FixedDelayTrigger(PERIOD), Duration.ofMinutes(1));
        leader.dispatch();
        assertThat(leader.state()).isEqualTo("ACTIVE");
        leader.endRuns();

        tables.execute("update scheduler.schedule set next_tick_at = now(), ends_at = now()");
        leader.dispatch();

        assertThat(leader.state()).isEqualTo("ENDED");
        assertThat(leader.endRuns()).isZero();
    }
}
