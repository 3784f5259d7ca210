package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeclarationsTests {

    private static final JobRegistry JOBS = new JobRegistry(List.of(JobDefinition.of("job", run -> {})));
    private static final Schedule HOURLY = new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(1)));

    @Test
    void twoSchedulesOfOneNameAreRefusedEvenIfOneIsSwitchedOff() {
        Schedule off = new Schedule("report", "job", null);

        assertThatExceptionOfType(SchedulerConfigurationException.class)
                .isThrownBy(() -> new Declarations(JOBS, List.of(HOURLY, off)))
                .withMessage("Two schedules have the name 'report'");
    }

    @Test
    void oneJobMayHaveManySchedules() {
        Schedule other = new Schedule("other", "job", new FixedRateTrigger(Duration.ofHours(2)));

        assertThatNoException().isThrownBy(() -> new Declarations(JOBS, List.of(HOURLY, other)));
    }
}
