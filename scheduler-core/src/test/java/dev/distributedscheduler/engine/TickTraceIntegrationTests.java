package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.TickTrace.Fate;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.schedule.DstNote;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When it will run, and why it did or did not. */
@PostgresTest
class TickTraceIntegrationTests {

    private static final ScheduleKey KEY = ScheduleKey.of("report");

    private final DataSource dataSource;
    private TestTables tables;
    private Schedules schedules;

    TickTraceIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = TestSchedules.on(tables);
    }

    private ScheduleSpec report() {
        return schedules.schedule("report").job("report");
    }

    private List<Instant> preview(int most) {
        return schedules.preview(KEY, most).stream().map(TickPreview::tick).toList();
    }

    @Test
    void previewBeginsWithTheNextTick() {
        report().fixedRate(Duration.ofHours(1)).register();
        Instant next = schedules.find(KEY).orElseThrow().nextTick();

        assertThat(preview(3)).containsExactly(next, next.plusSeconds(3600), next.plusSeconds(7200));
        assertThat(preview(5_000)).hasSize(1_000);
    }

    @Test
    void previewEndsWithTheSchedule() {
        Instant start = Instant.parse("2100-01-01T00:00:00Z");
        report().cron("0 0 * * * *")
                .zone("UTC")
                .from(start)
                .until(start.plusSeconds(7_201))
                .register();

        assertThat(preview(10)).containsExactly(start, start.plusSeconds(3600), start.plusSeconds(7200));

        report().at(start).register();
        assertThat(preview(10)).containsExactly(start);
    }

    @Test
    void previewTellsWhatTheClockDoesToATick() {
        report().cron("0 30 2 * * *")
                .zone("Europe/Paris")
                .dst(DstGap.RUN_AFTER, DstOverlap.TWICE)
                .from(Instant.parse("2100-03-27T12:00:00Z"))
                .register();
        assertThat(schedules.preview(KEY, 2))
                .containsExactly(
                        new TickPreview(Instant.parse("2100-03-28T01:00:00Z"), DstNote.MOVED_OUT_OF_GAP.sentence()),
                        new TickPreview(Instant.parse("2100-03-29T00:30:00Z"), null));

        report().cron("0 30 2 * * *")
                .zone("Europe/Paris")
                .dst(DstGap.RUN_AFTER, DstOverlap.TWICE)
                .from(Instant.parse("2100-10-30T12:00:00Z"))
                .register();
        assertThat(schedules.preview(KEY, 2))
                .containsExactly(
                        new TickPreview(Instant.parse("2100-10-31T00:30:00Z"), DstNote.FIRST_OF_TWO.sentence()),
                        new TickPreview(Instant.parse("2100-10-31T01:30:00Z"), DstNote.SECOND_OF_TWO.sentence()));
    }

    @Test
    void noteIsThatOfTheTimeThatWasSaidNotOfTheSpreadOne() {
        report().cron("0 30 2 * * *")
                .zone("Europe/Paris")
                .spread(Duration.ofHours(20))
                .from(Instant.parse("2100-03-28T00:00:00Z"))
                .register();
        Duration shift = schedules.find(KEY).orElseThrow().shift();
        assertThat(shift).isPositive();

        assertThat(schedules.preview(KEY, 3))
                .contains(new TickPreview(
                        Instant.parse("2100-03-28T01:00:00Z").plus(shift), DstNote.MOVED_OUT_OF_GAP.sentence()));
    }

    @Test
    void scheduleThatIsNotActiveHasAPreviewToo() {
        report().cron("0 0 0 1 1 *").zone("UTC").register();
        tables.execute("update scheduler.schedule set state = 'RETIRED', next_tick_at = null");

        assertThat(preview(2)).hasSize(2).allMatch(tick -> tick.isAfter(tables.now()));
        assertThat(schedules.preview(ScheduleKey.of("unknown"), 5)).isEmpty();
    }

    @Test
    void previewOfAScheduleThatStartsLaterHasNothingEarlier() {
        Instant start = Instant.parse("2100-01-01T00:00:00Z");
        report().cron("0 0 0 * * *").zone("UTC").from(start).register();
        tables.execute("update scheduler.schedule set state = 'FAILED', next_tick_at = null");

        assertThat(preview(2)).containsExactly(start, start.plus(Duration.ofDays(1)));
    }

    private void insertRun(String tick) {
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, schedule_id, tick_at, max_attempts)
                select job, 'default', 'READY', 0, now(), now(), id, '%s', 3 from scheduler.schedule
                """.formatted(tick));
    }

    private void insertSkip(String tick, String until, String reason) {
        tables.execute("""
                insert into scheduler.execution (job, queue, schedule_id, tick_at, tick_until, outcome, run_at, error_type)
                select job, 'default', id, '%1$s', %2$s, 'SKIPPED', '%1$s', '%3$s' from scheduler.schedule
                """.formatted(tick, until == null ? "null" : "'" + until + "'", reason));
    }

    private static Instant at(String time) {
        return Instant.parse("2026-01-15T" + time + ":00Z");
    }

    @Test
    void everyTickHasItsFate() {
        report().fixedRate(Duration.ofHours(1)).register();
        insertRun("2026-01-15T05:00:00Z");
        ClaimedRun done = tables.claim("report");
        RunHistory history = new RunHistory(tables.database());
        history.fail(List.of(FinishedAttempt.lost(done)));
        ClaimedRun again = tables.claim("report");
        history.complete(List.of(FinishedAttempt.completed(again, Duration.ZERO, Duration.ZERO)));
        insertRun("2026-01-15T07:00:00Z");
        ClaimedRun live = tables.claim("report");
        insertSkip("2026-01-15T01:00:00Z", "2026-01-15T03:30:00Z", "misfire");
        insertSkip("2026-01-15T06:00:00Z", null, "overlap");
        tables.execute("""
                update scheduler.schedule
                set replay_at = now(), missed = '{["2026-01-15T04:00:00Z","2026-01-15T04:30:00Z")}'
                """);

        assertThat(schedules.trace(KEY, at("00:00"), at("09:00")))
                .containsExactly(
                        new TickTrace(at("01:00"), at("03:30"), Fate.SKIPPED, null, "misfire"),
                        new TickTrace(at("04:00"), at("04:30"), Fate.OWED, null, "misfire"),
                        new TickTrace(at("05:00"), null, Fate.ENQUEUED, done.id(), null),
                        new TickTrace(at("06:00"), null, Fate.SKIPPED, null, "overlap"),
                        new TickTrace(at("07:00"), null, Fate.ENQUEUED, live.id(), null));
    }

    @Test
    void traceIsBoundedAndRangesThatReachIntoItAreShown() {
        report().fixedRate(Duration.ofHours(1)).register();
        insertSkip("2026-01-15T01:00:00Z", "2026-01-15T03:30:00Z", "paused");
        insertSkip("2026-01-15T05:00:00Z", null, "overlap");
        insertRun("2026-01-15T06:00:00Z");

        assertThat(schedules.trace(KEY, at("02:00"), at("05:00")))
                .containsExactly(new TickTrace(at("01:00"), at("03:30"), Fate.SKIPPED, null, "paused"));
        assertThat(schedules.trace(KEY, at("05:00"), at("06:00")))
                .containsExactly(new TickTrace(at("05:00"), null, Fate.SKIPPED, null, "overlap"));
        assertThat(schedules.trace(KEY, at("05:01"), at("06:00"))).isEmpty();
        assertThat(schedules.trace(ScheduleKey.of("unknown"), at("00:00"), at("09:00")))
                .isEmpty();
    }

    @Test
    void limitedTraceIsContinuedFromItsLastTick() {
        report().fixedRate(Duration.ofHours(1)).register();
        insertRun("2026-01-15T05:00:00Z");
        RunHistory history = new RunHistory(tables.database());
        for (int attempt = 1; attempt < 3; attempt++) { // several rows, one tick
            history.fail(List.of(FinishedAttempt.lost(tables.claim("report"))));
        }
        history.complete(List.of(FinishedAttempt.completed(tables.claim("report"), Duration.ZERO, Duration.ZERO)));
        insertSkip("2026-01-15T06:00:00Z", null, "overlap");
        insertRun("2026-01-15T07:00:00Z");

        assertThat(schedules.trace(KEY, at("00:00"), at("09:00"), 2))
                .extracting(TickTrace::tick)
                .containsExactly(at("05:00"), at("06:00"));
        assertThat(schedules.trace(KEY, at("06:00"), at("09:00"), 2))
                .extracting(TickTrace::tick)
                .containsExactly(at("06:00"), at("07:00"));
    }
}
