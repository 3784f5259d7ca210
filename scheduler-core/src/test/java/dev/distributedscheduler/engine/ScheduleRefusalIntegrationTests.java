package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is not registered, and what the user is told. */
@PostgresTest
class ScheduleRefusalIntegrationTests {

    private static final Instant MOON = Instant.parse("2100-01-01T00:00:00Z");

    private final DataSource dataSource;
    private TestTables tables;
    private Schedules schedules;

    ScheduleRefusalIntegrationTests(DataSource dataSource) {
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

    @Test
    void nothingIsRegisteredWhenOneIsRefused() {
        ScheduleSpec good = report().fixedRate(Duration.ofHours(1));
        ScheduleSpec never =
                schedules.schedule("never").job("report").cron("0 0 0 31 2 *").zone("UTC");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.registerAll(List.of(good, never)))
                .withMessage("Schedule 'never': The cron expression '0 0 0 31 2 *' never fires");
        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
    }

    @Test
    void nameThatIsDeclaredInCodeIsRefusedAndLeftAlone() {
        Schedule declared = new Schedule("report", "report", new FixedRateTrigger(Duration.ofHours(1)));
        new ScheduleStore(tables.database()).declare(List.of(declared), 1);
        String before = tables.text("select s::text from scheduler.schedule s");

        assertThatIllegalStateException()
                .isThrownBy(
                        () -> report().tenant("").fixedRate(Duration.ofHours(2)).register())
                .withMessage("[report] are declared in code; change them there, or in distributed-scheduler.jobs.*");
        assertThatIllegalStateException()
                .isThrownBy(() -> schedules.delete(ScheduleKey.of("report")))
                .withMessage("Schedule 'report' is declared in code and would come back; pause it, or remove it there");
        assertThat(tables.text("select s::text from scheduler.schedule s")).isEqualTo(before);

        report().fixedRate(Duration.ofHours(2)).register(); // of a tenant: another one
    }

    static Stream<Arguments> refusals() {
        Duration hour = Duration.ofHours(1);
        return Stream.of(
                refusal(s -> s.job(null).fixedRate(hour), "it names no job"),
                refusal(s -> s, "it says not when to run"),
                refusal(s -> s.cron("0 0 0 * * *"), "a cron expression needs a zone"),
                refusal(s -> s.zone("UTC").cron("every day"), "Cron expression must consist of 6 fields"),
                refusal(s -> s.fixedRate(Duration.ZERO), "A fixed rate must be between 1 ms and 10 years"),
                refusal(s -> s.trigger("sun"), "There is no Trigger bean 'sun' on this node, but [moon]"),
                refusal(s -> s.fixedRate(hour).spread(Duration.ofDays(2)), "A spread is between zero and a day"),
                refusal(s -> s.fixedRate(hour).from(MOON).until(MOON), "A schedule cannot end at"),
                refusal(s -> s.fixedRate(hour).misfireGrace(Duration.ZERO), "A misfire grace must be positive"),
                refusal(s -> s.fixedRate(hour).allowOverlap(0), "A limit of runs at once is at least 1"),
                refusal(s -> s.fixedRate(hour).queue(" "), "A queue name has 1 to 200 printable characters"),
                refusal(
                        s -> s.fixedRate(hour).payload("x".repeat(101)),
                        "The payload of schedule 'tenant-7/report' has 101"),
                refusal(
                        s -> s.job("unknown").fixedRate(hour),
                        "no node has declared a job 'unknown'; there are [mail,"));
    }

    private static Arguments refusal(UnaryOperator<ScheduleSpec> said, String message) {
        return Arguments.of(said, message);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusalNamesTheScheduleAndWhatIsWrong(UnaryOperator<ScheduleSpec> said, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> said.apply(report()).register())
                .withMessageStartingWith("Schedule 'tenant-7/report': " + message);
        assertThat(tables.count("select count(*) from scheduler.schedule")).isZero();
    }

    @Test
    void severalWaysToSayWhenAreRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> report().cron("0 0 0 * * *").fixedRate(Duration.ofHours(1)))
                .withMessage("Schedule 'report' says when to run in several ways: CRON and FIXED_RATE");
    }

    @Test
    void sameScheduleTwiceInOneCallIsRefused() {
        ScheduleSpec once = report().fixedRate(Duration.ofHours(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.registerAll(List.of(once, once)))
                .withMessage("Schedule 'tenant-7/report' is to be registered twice");
    }
}
