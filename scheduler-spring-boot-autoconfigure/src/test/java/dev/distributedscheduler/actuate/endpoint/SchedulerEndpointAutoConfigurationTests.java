package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.job.PayloadCodec;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SchedulerEndpointAutoConfigurationTests {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SchedulerEndpointAutoConfiguration.class))
            .withBean(Cluster.class, () -> mock(Cluster.class))
            .withBean(Schedules.class, () -> mock(Schedules.class))
            .withBean(Runs.class, () -> mock(Runs.class))
            .withBean(DeadLetters.class, () -> mock(DeadLetters.class))
            .withBean(PayloadCodec.class, () -> mock(PayloadCodec.class));

    private final ApplicationContextRunner withScheduler =
            context.withBean(Operations.class, () -> mock(Operations.class));

    @Test
    void nothingIsThereUnlessExposed() {
        withScheduler.run(started -> assertThat(started)
                .doesNotHaveBean(SchedulerEndpoint.class)
                .doesNotHaveBean(SchedulerJobsEndpoint.class)
                .doesNotHaveBean(SchedulerRunsEndpoint.class)
                .doesNotHaveBean(SchedulerDeadLettersEndpoint.class));
    }

    @Test
    void eachIsThereWhenItIsExposed() {
        withScheduler
                .withPropertyValues("management.endpoints.web.exposure.include=scheduler,schedulerruns")
                .run(started -> assertThat(started)
                        .hasSingleBean(SchedulerEndpoint.class)
                        .hasSingleBean(SchedulerRunsEndpoint.class)
                        .hasSingleBean(SchedulerRunsWebExtension.class)
                        .doesNotHaveBean(SchedulerJobsEndpoint.class)
                        .doesNotHaveBean(SchedulerDeadLettersWebExtension.class));
    }

    @Test
    void overJmxAloneTheWebIsLeftOut() {
        withScheduler
                .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
                .run(started -> assertThat(started)
                        .hasSingleBean(SchedulerJobsEndpoint.class)
                        .doesNotHaveBean(SchedulerJobsWebExtension.class));
    }

    @Test
    void forbiddenOnesAreNotThere() {
        withScheduler
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.schedulerjobs.access=NONE")
                .run(started -> assertThat(started)
                        .hasSingleBean(SchedulerEndpoint.class)
                        .doesNotHaveBean(SchedulerJobsEndpoint.class));
    }

    @Test
    void backsOffWithoutScheduler() {
        context.withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(started -> assertThat(started).doesNotHaveBean(SchedulerEndpoint.class));
    }

    @Test
    void backsOffWithoutActuator() {
        withScheduler
                .withClassLoader(new FilteredClassLoader(Endpoint.class))
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(started ->
                        assertThat(started).hasNotFailed().doesNotHaveBean(SchedulerEndpointAutoConfiguration.class));
    }

    @Test
    void endpointOfTheApplicationTakesPrecedence() {
        SchedulerEndpoint own = new SchedulerEndpoint(mock(Cluster.class));
        withScheduler
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .withBean(SchedulerEndpoint.class, () -> own)
                .run(started ->
                        assertThat(started.getBean(SchedulerEndpoint.class)).isSameAs(own));
    }
}
