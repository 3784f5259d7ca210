package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules that a program registers. */
@PostgresTest
class ScheduleRegistrationIntegrationTests {

    private static final ScheduleKey KEY = new ScheduleKey("tenant-7", "report");
    private static final Instant MOON = Instant.parse("2100-01-01T00:00:00Z");

    private final DataSource dataSource;
    private TestTables tables;
    private Schedules schedules;

    ScheduleRegistrationIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = TestSchedules.on(tables, TestSchedules.QUOTA, new TriggerBeans(Map.of("moon", context -> MOON)));
    }

    private ScheduleSpec report() {
        return schedules.schedule("report").tenant("tenant-7").job("report");
    }

    private ScheduleDetails found() {
        return schedules.find(KEY).orElseThrow();
    }

    private String row() {
        return tables.text("select s::text from scheduler.schedule s");
    }

    /** The last tick was dealt with, and the next one is a little late. */
    private Instant setBack() {
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = now() - interval '1 hour', next_tick_at = now() - interval '1 second'
                """);
        return found().nextTick();
    }

    @Test
    void scheduleIsStoredAsItWasSaid() {
        report().cron("0 0 14 ? * MON#1")
                .zone("Europe/Paris")
                .dst(DstGap.SKIP, DstOverlap.TWICE)
                .payload("sales")
                .spread(Duration.ofHours(1))
                .from(MOON)
                .until(MOON.plus(Duration.ofDays(365)))
                .misfire(Misfire.REPLAY_LATEST)
                .misfireGrace(Duration.ofMinutes(7))
                .allowOverlap(3)
                .queue("slow")
                .priority(Priority.HIGH)
                .register();

        ScheduleDetails details = found();
        Duration shift = details.shift();
        assertThat(shift).isBetween(Duration.ZERO, Duration.ofHours(1));
        assertThat(details)
                .isEqualTo(new ScheduleDetails(
                        KEY,
                        "report",
                        "CRON",
                        "0 0 14 ? * MON#1",
                        "Europe/Paris",
                        shift,
                        Misfire.REPLAY_LATEST,
                        Overlap.ALLOW,
                        "ACTIVE",
                        null,
                        null,
                        false,
                        null,
                        Instant.parse("2100-01-04T13:00:00Z").plus(shift),
                        false,
                        "sales"));
        assertThat(tables.text("""
                select concat_ws('|', dst_gap, dst_overlap, misfire_grace, max_overlap, queue, priority, starts_at < ends_at)
                from scheduler.schedule
                """)).isEqualTo("SKIP|TWICE|00:07:00|3|slow|10|t");
    }

    @Test
    void everyWayToSayWhenIsStored() {
        Instant before = tables.now();
        schedules.registerAll(List.of(
                schedules
                        .schedule("rate")
                        .job("mail")
                        .fixedRate(Duration.ofMinutes(5))
                        .initialDelay(Duration.ofHours(1)),
                schedules.schedule("delay").job("mail").fixedDelay(Duration.ofMinutes(5)),
                schedules.schedule("once").job("mail").at(MOON),
                schedules.schedule("bean").job("mail").trigger("moon")));

        assertThat(tables.texts("""
                select concat_ws('|', name, trigger_kind, trigger_expression, delay) from scheduler.schedule order by name
                """))
                .containsExactly(
                        "bean|BEAN|moon",
                        "delay|FIXED_DELAY|PT5M|00:05:00",
                        "once|ONCE|2100-01-01T00:00:00Z",
                        "rate|FIXED_RATE|PT5M");
        assertThat(schedules.find(ScheduleKey.of("rate")).orElseThrow().nextTick())
                .isBetween(before.plusSeconds(3600), tables.now().plusSeconds(3600));
        assertThat(schedules.find(ScheduleKey.of("once")).orElseThrow().nextTick())
                .isEqualTo(MOON);
        assertThat(schedules.find(ScheduleKey.of("bean")).orElseThrow().nextTick())
                .isEqualTo(MOON);
    }

    @Test
    void registeringTheSameAgainWritesNothing() {
        report().fixedRate(Duration.ofHours(1)).payload("some").register();
        setBack();
        String before = row();

        report().fixedRate(Duration.ofHours(1)).payload("some").register();

        assertThat(row()).isEqualTo(before);
    }

    @Test
    void changedPayloadOrPolicyKeepsThePlaceInTime() {
        report().fixedRate(Duration.ofHours(1)).payload("some").register();
        Instant place = setBack();

        report().fixedRate(Duration.ofHours(1))
                .payload("other")
                .overlap(Overlap.QUEUE)
                .register();

        assertThat(found().payload()).isEqualTo("other");
        assertThat(found().overlap()).isEqualTo(Overlap.QUEUE);
        assertThat(found().nextTick()).isEqualTo(place);
    }

    @Test
    void changedTriggerStartsAnewAndOwesNothing() {
        report().fixedRate(Duration.ofHours(1)).register();
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = now() - interval '2 hours', replay_at = now(),
                    missed = tstzmultirange(tstzrange(now() - interval '1 hour', now()))
                """);

        report().cron("0 0 0 1 1 *").zone("UTC").register();

        assertThat(found().nextTick()).isAfter(tables.now()).asString().endsWith("-01-01T00:00:00Z");
        assertThat(found().missedTicks()).isFalse();
    }

    @Test
    void oneTimeScheduleThatHasEndedStaysEndedUnlessItsTimeIsChanged() {
        Instant first = tables.now().minusSeconds(60);
        report().at(first).register();
        tables.execute(
                "update scheduler.schedule set state = 'ENDED', last_tick_at = next_tick_at, next_tick_at = null");

        report().at(first).payload("other").register();
        assertThat(found().state()).isEqualTo("ENDED");

        report().at(MOON).register();
        assertThat(found().state()).isEqualTo("ACTIVE");
        assertThat(found().nextTick()).isEqualTo(MOON);
    }

    @Test
    void dueTickIsNotLostWhenThePayloadIsChangedAfterTheEnd() {
        report().fixedRate(Duration.ofHours(1)).until(MOON).register();
        Instant place = setBack();
        Instant end = tables.now();
        tables.execute("update scheduler.schedule set ends_at = '%s'".formatted(end));

        report().fixedRate(Duration.ofHours(1)).until(end).payload("other").register();

        assertThat(found().state()).isEqualTo("ACTIVE");
        assertThat(found().nextTick()).isEqualTo(place);
    }

    @Test
    void scheduleWhoseEndIsMovedIntoThePastEnds() {
        report().fixedRate(Duration.ofHours(1)).register();
        setBack();

        report().fixedRate(Duration.ofHours(1))
                .until(tables.now().minusSeconds(9))
                .register();

        assertThat(found().state()).isEqualTo("ENDED");
        assertThat(found().nextTick()).isNull();
    }

    @Test
    void pausedScheduleCanBeChangedAndStaysPaused() {
        report().fixedRate(Duration.ofHours(1)).register();
        schedules.pause(KEY, "maintenance", "ann");

        report().fixedRate(Duration.ofHours(2)).register();

        assertThat(found().state() + " " + found().stateReason()).isEqualTo("PAUSED maintenance");
        assertThat(found().expression()).isEqualTo("PT2H");
    }

    @Test
    void sameNameIsAnotherScheduleForAnotherTenant() {
        report().fixedRate(Duration.ofHours(1)).register();
        report().tenant("tenant-8").fixedRate(Duration.ofHours(2)).register();
        report().tenant("").fixedRate(Duration.ofHours(3)).register();

        assertThat(tables.texts("select tenant || ' ' || trigger_expression from scheduler.schedule order by tenant"))
                .containsExactly(" PT3H", "tenant-7 PT1H", "tenant-8 PT2H");
    }

    @Test
    void registrationIsUndoneWithTheTransactionOfTheCaller() {
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.database().inTransaction(() -> {
                    report().fixedRate(Duration.ofHours(1)).register();
                    throw new IllegalStateException("on purpose");
                }));

        assertThat(schedules.find(KEY)).isEmpty();
        assertThat(tables.count("select count(*) from scheduler.tenant")).isZero();
    }
}
