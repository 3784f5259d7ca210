package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import dev.distributedscheduler.schedule.MisfireRules;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.DueTicks.DueSchedule;
import dev.distributedscheduler.store.JobStore;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many schedules, few of them due: {@code -Dscale.schedules=10000000 -Dscale.seconds=60} for the figures in the docs.
 *
 * <p>Each is due once in a thousand minutes, so a thousandth of them is due per minute.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ScheduleScaleIntegrationTests extends EngineTest {

    private static final int SCHEDULES = Integer.getInteger("scale.schedules", 30_000);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("scale.seconds", 3));
    private static final int PER_CALL = 100_000;
    private static final Duration PERIOD = Duration.ofMinutes(1000);

    private final Database database;
    private final Random random = new Random(1);

    ScheduleScaleIntegrationTests(PostgresDatabase postgres) {
        super(postgres);
        this.database = new Database(dataSource, Database.DEFAULT_SCHEMA);
    }

    @Test
    void dueOnesAreFoundByTheirIndexHoweverManyThereAre() {
        register();
        jdbc.sql("analyze scheduler.schedule").update();
        String plan = String.join("\n", jdbc.sql("""
                        explain (analyze, buffers)
                        select id from scheduler.schedule
                        where state = 'ACTIVE' and next_tick_at <= now()
                          and (trigger_kind <> 'BEAN' or trigger_expression = any('{}'))
                        order by next_tick_at limit 1000
                        for no key update skip locked
                        """).query(String.class).list());
        System.out.println(plan);
        assertThat(plan).contains("schedule_due");

        dispatch();
    }

    private void register() {
        new JobStore(database).declare(List.of(JobDefinition.of("job", context -> {})), 1);
        Schedules schedules = new ScheduleOperations(
                database, new NoCodec(), new ScheduleOperations.Limits(1_000, PER_CALL), () -> TriggerBeans.NONE);
        long began = System.nanoTime();
        for (int from = 0; from < SCHEDULES; from += PER_CALL) {
            List<ScheduleSpec> specs = new ArrayList<>();
            for (int number = from; number < Math.min(SCHEDULES, from + PER_CALL); number++) {
                specs.add(schedules
                        .schedule("schedule-" + number)
                        .tenant("tenant-" + from / PER_CALL)
                        .job("job")
                        .fixedRate(PERIOD)
                        .initialDelay(Duration.ofMillis(random.nextLong(PERIOD.toMillis()))));
            }
            assertThat(schedules.registerAll(specs)).isEqualTo(specs.size());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        print("registered %,d schedules in %.1f s: %,.0f a second", SCHEDULES, seconds, SCHEDULES / seconds);
    }

    /** As a leader does, every 20 ms. */
    private void dispatch() {
        try (DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20))) {
            dispatch(new Database(connection, Database.DEFAULT_SCHEMA));
        }
    }

    private void dispatch(Database own) {
        DueTicks ticks = new DueTicks(own);
        int moved = 0;
        for (int late = 1; late > 0; moved += late) { // what came due while the others were registered
            late = dispatch(own, ticks, new ArrayList<>());
        }
        List<Double> millis = new ArrayList<>();
        long heapBefore = usedHeap();
        Instant end = now().plus(LENGTH);
        for (Instant next = now(); next.isBefore(end); next = next.plusMillis(20)) {
            awaitTime(next);
            moved += dispatch(own, ticks, millis);
        }
        Collections.sort(millis);
        print(
                "%,d of %,d schedules dispatched in %d s; due-tick query p50 %.2f ms, p99 %.2f ms, most %.2f ms; heap %+d MiB",
                moved,
                SCHEDULES,
                LENGTH.toSeconds(),
                millis.get(millis.size() / 2),
                millis.get(millis.size() * 99 / 100),
                millis.get(millis.size() - 1),
                (usedHeap() - heapBefore) >> 20);
        assertThat(count("select count(*) from scheduler.run")).isEqualTo(moved);
    }

    private static int dispatch(Database own, DueTicks ticks, List<Double> millis) {
        return own.inTransaction(() -> {
            long began = System.nanoTime();
            List<DueSchedule> due = ticks.lockDue(Set.of(), null, 1_000);
            millis.add((System.nanoTime() - began) / 1e6);
            ticks.advance(
                    due.stream().map(ScheduleScaleIntegrationTests::advance).toList());
            return due.size();
        });
    }

    private static Advance advance(DueSchedule schedule) {
        MisfireRules rules = schedule.rules(Duration.ofHours(1), Duration.ofMinutes(10));
        return new Advance(
                schedule,
                TickPlan.of(
                        schedule.timing().read(TriggerBeans.NONE),
                        schedule.nextTick(),
                        schedule.nextTick(),
                        rules,
                        100));
    }

    private Instant now() {
        return jdbc.sql("select clock_timestamp()")
                .query(OffsetDateTime.class)
                .single()
                .toInstant();
    }

    private void awaitTime(Instant time) {
        while (now().isBefore(time)) {
            Thread.onSpinWait();
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    private static final class NoCodec implements PayloadCodec {

        @Override
        public String write(Object payload) {
            return null;
        }

        @Override
        public PayloadReader reader(Type type) {
            return PayloadReader.NONE;
        }
    }
}
