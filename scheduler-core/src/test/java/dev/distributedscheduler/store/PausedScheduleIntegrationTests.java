package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Schedule.Work;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pause is a person's word: only a person takes it back, whatever deployments do meanwhile. */
@PostgresTest
@Timeout(60)
class PausedScheduleIntegrationTests {

    private static final ScheduleKey KEY = ScheduleKey.of("report");
    private static final Trigger HOURLY = new FixedRateTrigger(Duration.ofHours(1));
    private static final Trigger DELAYED = new FixedDelayTrigger(Duration.ofHours(1));

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;
    private ScheduleControl control;

    PausedScheduleIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
        control = new ScheduleControl(tables.database());
    }

    private void declare(Trigger trigger) {
        schedules.declare(List.of(new Schedule("report", "job", trigger)), 1);
    }

    private void declareUntil(Trigger trigger, Instant end) {
        Timing timing = new Timing(trigger, Duration.ZERO, null, end);
        schedules.declare(
                List.of(new Schedule(KEY, "job", timing, Duration.ZERO, SchedulePolicy.DEFAULT, Work.OF_THE_JOB)), 1);
    }

    private void switchOff() {
        declare(null);
    }

    private String state() {
        return tables.text("select concat_ws('|', state, state_reason, changed_by) from scheduler.schedule");
    }

    private String shownReason() {
        ScheduleDetails details =
                new ScheduleSearch(tables.database()).find(KEY).orElseThrow();
        return details.stateReason();
    }

    private boolean hasTick() {
        return tables.count("select count(next_tick_at) from scheduler.schedule") == 1;
    }

    @Test
    void pausedScheduleThatIsSwitchedOffComesBackPaused() {
        declare(HOURLY);
        control.pause(KEY, "maintenance", "ann");

        switchOff();
        switchOff();
        assertThat(state()).startsWith("RETIRED");
        assertThat(shownReason()).isEqualTo("switched off while paused: maintenance");
        assertThat(control.resume(KEY, "bob")).as("nothing to resume yet").isFalse();

        declare(HOURLY);
        assertThat(state()).isEqualTo("PAUSED|maintenance|ann");
        assertThat(shownReason()).isEqualTo("maintenance");
        assertThat(TestTicks.enqueueDue(tables)).isZero();

        control.resume(KEY, "bob");
        assertThat(state()).isEqualTo("ACTIVE|bob");
        assertThat(TestTicks.enqueueDue(tables)).isOne();
    }

    @Test
    void pauseWithoutReasonIsShownToo() {
        declare(HOURLY);
        control.pause(KEY, null, null);

        switchOff();

        assertThat(shownReason()).isEqualTo("switched off while paused");
    }

    @Test
    void pausedScheduleComesBackPausedWithAnotherTrigger() {
        declare(HOURLY);
        control.pause(KEY, "maintenance", "ann");
        switchOff();

        declare(DELAYED);

        assertThat(state()).isEqualTo("PAUSED|maintenance|ann");
        assertThat(hasTick()).isTrue();
    }

    @Test
    void scheduleWhosePauseWasOverComesBackActive() {
        declare(HOURLY);
        control.pause(KEY, "maintenance", "ann");
        control.resume(KEY, "bob");

        switchOff();
        assertThat(shownReason()).isEqualTo("switched off");
        declare(HOURLY);

        assertThat(state()).isEqualTo("ACTIVE|bob");
    }

    @Test
    void scheduleThatEndedDuringItsPauseEndsWhenItIsResumed() {
        declare(HOURLY);
        control.pause(KEY, "maintenance", "ann");
        declareUntil(HOURLY, tables.now().minusSeconds(1));
        assertThat(state()).isEqualTo("PAUSED|maintenance|ann");

        assertThat(control.resume(KEY, "bob")).isTrue();

        assertThat(state()).isEqualTo("ENDED|bob");
    }

    @Test
    void fixedDelayThatEndedDuringItsPauseEndsWhenItIsResumed() {
        declare(DELAYED);
        control.pause(KEY, null, null);
        declareUntil(DELAYED, tables.now().minusSeconds(1));

        control.resume(KEY, "bob");

        assertThat(state()).isEqualTo("ENDED|bob");
    }

    @Test
    void fixedDelayThatWaitsForTheEndOfItsRunGoesOn() {
        declare(DELAYED);
        TestTicks.enqueueDue(tables);
        control.pause(KEY, null, null);
        assertThat(hasTick()).isFalse();

        control.resume(KEY, "bob");

        assertThat(state()).isEqualTo("ACTIVE|bob");
    }

    @Test
    void singleTickThatCameDuringThePauseIsNotLost() {
        declare(new OnceTrigger(tables.now()));
        control.pause(KEY, null, null);

        control.resume(KEY, "bob");

        assertThat(state()).isEqualTo("ACTIVE|bob");
        assertThat(TestTicks.enqueueDue(tables)).isOne();
        assertThat(state()).isEqualTo("ENDED|bob");
    }
}
