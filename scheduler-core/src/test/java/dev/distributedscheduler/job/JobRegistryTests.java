package dev.distributedscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobRegistryTests {

    private final JobDefinition report = JobDefinition.of("report", run -> {});
    private final JobDefinition mail = JobDefinition.of("mail", run -> {}).withQueue("slow");

    @Test
    void jobsAreFoundByName() {
        JobRegistry jobs = new JobRegistry(List.of(report, mail));

        assertThat(jobs.get("mail")).isSameAs(mail);
        assertThat(jobs.names()).containsExactlyInAnyOrder("report", "mail");
        assertThat(jobs.queues()).containsExactly("default", "slow");
    }

    @Test
    void twoJobsOfOneNameAreRefused() {
        SchedulerConfigurationException refusal = catchThrowableOfType(
                SchedulerConfigurationException.class, () -> new JobRegistry(List.of(report, mail, report)));

        assertThat(refusal).hasMessage("Two jobs have the name 'report'");
        assertThat(refusal.remedy()).isEqualTo("Give each job a name of its own.");
    }

    @Test
    void unknownJobIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new JobRegistry(List.of()).get("report"))
                .withMessage("This node has no job 'report'");
    }
}
