package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.autoconfigure.annotation.DistributedScheduledBeanPostProcessor;
import dev.distributedscheduler.engine.EngineSettings;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What can be told without a database. */
class DistributedSchedulerAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DistributedSchedulerAutoConfiguration.class));

    @Test
    void backsOffWhenSwitchedOff() {
        runner.withPropertyValues("distributed-scheduler.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DistributedScheduledBeanPostProcessor.class)
                        .doesNotHaveBean(SchedulerLifecycle.class));
    }

    @Test
    void failsWithoutDataSource() {
        runner.run(context -> assertFailure(context, "has no DataSource", "spring.datasource.url"));
    }

    @Test
    void failsWithSeveralDataSources() {
        runner.withUserConfiguration(TwoDataSources.class)
                .run(context -> assertFailure(context, "several DataSources", "@SchedulerDataSource"));
    }

    @Test
    void failsWithContradictoryLease() {
        withSettings("distributed-scheduler.leader.lease=10s", "distributed-scheduler.leader.renew-every=6s")
                .run(context -> assertFailure(context, "renews every PT6S", "less than half"));
    }

    @Test
    void failsWithALeaseThatCannotBeRenewed() {
        withSettings("distributed-scheduler.node.lease=100ms")
                .run(context -> assertFailure(context, "PT0.1S", "distributed-scheduler.node.lease"));
    }

    @Test
    void failsWithoutConcurrency() {
        withSettings("distributed-scheduler.worker.queues.mail.concurrency=0")
                .run(context -> assertFailure(context, "worker.queues.mail.concurrency is 0", "worker.enabled=false"));
    }

    @Test
    void failsWithARateThatNeverCatchesUp() {
        withSettings("distributed-scheduler.dispatch.catch-up-rate=1")
                .run(context -> assertFailure(context, "dispatch.catch-up-rate is 1.0", "more than 1"));
    }

    @Test
    void failsWithANegativeQuota() {
        withSettings("distributed-scheduler.schedules-per-tenant=-1")
                .run(context -> assertFailure(context, "schedules-per-tenant is -1", "0 or more"));
    }

    @Test
    void failsWithAnOverrideThatCannotBe() {
        withSettings("distributed-scheduler.jobs.nightly.cron=every day")
                .withBean(Nightly.class)
                .run(context -> assertFailure(
                        context, "distributed-scheduler.jobs.nightly.cron = \"every day\"", "six fields"));
    }

    @Test
    void failsWithASchemaNameThatNeedsQuotes() {
        withSettings("distributed-scheduler.schema=My-Schema")
                .run(context -> assertFailure(context, "'My-Schema'", "distributed-scheduler.schema"));
    }

    @Test
    void propertiesBecomeSettings() {
        withSettings(
                        "distributed-scheduler.node.name=blue",
                        "spring.application.version=1.2",
                        "distributed-scheduler.leader.lease=12s",
                        "distributed-scheduler.worker.queues.mail.concurrency=3",
                        "distributed-scheduler.dispatch.enabled=false",
                        "distributed-scheduler.dispatch.misfire-grace=6h",
                        "distributed-scheduler.dispatch.misfire-after=10s",
                        "distributed-scheduler.dispatch.catch-up-rate=1.5",
                        "distributed-scheduler.dispatch.retire-after=2d",
                        "distributed-scheduler.dispatch.dead-letter-retention=30d")
                .run(context -> {
                    EngineSettings settings = context.getBean(EngineSettings.class);
                    assertThat(settings.node().name()).isEqualTo("blue");
                    assertThat(settings.node().version()).isEqualTo("1.2");
                    assertThat(settings.leader().renewEvery()).isEqualTo(Duration.ofSeconds(4));
                    assertThat(settings.worker().queueConcurrency()).containsEntry("mail", 3);
                    assertThat(settings.dispatch().enabled()).isFalse();
                    assertThat(settings.dispatch().misfireGrace()).isEqualTo(Duration.ofHours(6));
                    assertThat(settings.dispatch().misfireAfter()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(settings.dispatch().catchUpRate()).isEqualTo(1.5);
                    assertThat(settings.dispatch().retireAfter()).isEqualTo(Duration.ofDays(2));
                    assertThat(settings.dispatch().deadLetterRetention()).isEqualTo(Duration.ofDays(30));
                });
    }

    @Test
    void defaultsAreThoseOfTheEngine() {
        withSettings("distributed-scheduler.node.name=blue")
                .run(context ->
                        assertThat(context.getBean(EngineSettings.class)).isEqualTo(EngineSettings.defaults("blue")));
    }

    @Test
    void deadLettersOfTheApplicationsOwnAreLeftAlone() {
        DeadLetters own = mock(DeadLetters.class);
        withSettings()
                .withBean(DeadLetters.class, () -> own)
                .run(context -> assertThat(context).getBean(DeadLetters.class).isSameAs(own));
    }

    @Test
    void schedulesOfTheApplicationsOwnAreLeftAloneAndUsed() {
        Schedules own = mock(Schedules.class);
        withSettings().withBean(Schedules.class, () -> own).run(context -> {
            assertThat(context).getBean(Schedules.class).isSameAs(own);
            context.getBean(JobScheduler.class).schedule("report");
            verify(own).schedule("report");
        });
    }

    @Test
    void jobSchedulerOfTheApplicationsOwnIsLeftAlone() {
        JobScheduler own = mock(JobScheduler.class);
        withSettings()
                .withBean(JobScheduler.class, () -> own)
                .run(context -> assertThat(context)
                        .hasSingleBean(Schedules.class)
                        .getBean(JobScheduler.class)
                        .isSameAs(own));
    }

    /** Only the settings are made, nothing that needs the database. */
    private ApplicationContextRunner withSettings(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DistributedSchedulerAutoConfiguration.class))
                .withBean(Connections.class, () -> new Connections(mock(DataSource.class), mock(DataSource.class)))
                .withBean(SchedulerSchema.class, () -> mock(SchedulerSchema.class))
                .withInitializer(context -> context.addBeanFactoryPostProcessor(
                        beans -> ((BeanDefinitionRegistry) beans).removeBeanDefinition("schedulerLifecycle")))
                .withPropertyValues(properties);
    }

    private static void assertFailure(AssertableApplicationContext context, String problem, String remedy) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new SchedulerConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
        assertThat(analysis).isNotNull();
        assertThat(analysis.getCause()).isInstanceOf(SchedulerConfigurationException.class);
        assertThat(analysis.getDescription()).contains(problem);
        assertThat(analysis.getAction()).contains(remedy);
    }

    static class Nightly {

        @DistributedScheduled(name = "nightly", fixedRate = 1_000)
        void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource one() {
            return mock(DataSource.class);
        }

        @Bean
        DataSource two() {
            return mock(DataSource.class);
        }
    }
}
