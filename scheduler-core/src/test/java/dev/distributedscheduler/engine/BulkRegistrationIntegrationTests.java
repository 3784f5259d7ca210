package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred thousand schedules in one transaction. */
@PostgresTest
@Timeout(180)
class BulkRegistrationIntegrationTests {

    private static final int MANY = 100_000;
    private static final int TENANTS = 100;

    private final TestTables tables;
    private final Schedules schedules;

    BulkRegistrationIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
        this.schedules = TestSchedules.on(tables, MANY, TriggerBeans.NONE);
    }

    private List<ScheduleSpec> specs() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> schedules
                        .schedule("report-" + i)
                        .tenant("tenant-" + i % TENANTS)
                        .job("report")
                        .cron("0 0 2 * * *")
                        .zone("Europe/Paris")
                        .spread(Duration.ofHours(1))
                        .payload("customer " + i))
                .toList();
    }

    private int registerAll(String what) {
        List<ScheduleSpec> specs = specs();
        long began = System.nanoTime();
        int added = schedules.registerAll(specs);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.printf(
                "%s %,d schedules in %,d ms: %,d per second%n",
                what, MANY, took.toMillis(), MANY * 1_000L / took.toMillis());
        assertThat(took).isLessThan(Duration.ofMinutes(1));
        return added;
    }

    @Test
    void hundredThousandSchedulesAreRegisteredWellWithinAMinuteAndAgainWithoutAWrite() {
        assertThat(registerAll("Registered")).isEqualTo(MANY);
        assertThat(tables.count(
                        "select count(*) from scheduler.schedule where state = 'ACTIVE' and next_tick_at > now()"))
                .isEqualTo(MANY);
        assertThat(tables.texts("select distinct schedules::text from scheduler.tenant"))
                .containsExactly("1000");

        assertThat(registerAll("Repeated")).isZero();
        assertThat(tables.count("select count(*) from scheduler.schedule where updated_at <> created_at"))
                .isZero();
    }
}
