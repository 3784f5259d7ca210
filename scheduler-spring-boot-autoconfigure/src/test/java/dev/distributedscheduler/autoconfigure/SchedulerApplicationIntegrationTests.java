package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Whole applications on a database: what a user of the starter sees. */
@PostgresTest
class SchedulerApplicationIntegrationTests {

    private static final List<JobContext> runs = new CopyOnWriteArrayList<>();
    private static final List<Thread> threads = new CopyOnWriteArrayList<>();
    private static final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    SchedulerApplicationIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database).withBean(SchedulerListener.class, () -> events::add);
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        jdbc.sql("drop schema if exists jobs cascade").update();
        runs.clear();
        threads.clear();
        events.clear();
    }

    @Test
    void annotatedMethodRunsOnSchedule() {
        application.withUserConfiguration(Often.class).run(context -> {
            await().until(() -> runs.size() >= 3);
            assertThat(runs.get(0).job()).isEqualTo("often.work");
            assertThat(runs).extracting(JobContext::scheduledTime).doesNotHaveDuplicates();
        });
        assertThat(jdbc.sql("select count(*) from scheduler.node")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(jdbc.sql("select count(*) from scheduler.leader where node_id is not null")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void lazilyInitialisedApplicationKeepsItsJobs() {
        application
                .withUserConfiguration(Often.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> await().until(() -> runs.size() >= 1));
    }

    @Test
    void applicationsOwnFlywayIsUnharmed() {
        application
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=classpath:application-migrations")
                .withUserConfiguration(Often.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Flyway.class);
                    assertThat(context.getBean(Flyway.class).info().applied()).hasSize(1);
                    await().until(() -> runs.size() >= 1);
                });
    }

    @Test
    void otherSchemaIsUsed() {
        application
                .withUserConfiguration(Often.class)
                .withPropertyValues("distributed-scheduler.schema=jobs")
                .run(context -> await().until(() -> runs.size() >= 1));

        assertThat(jdbc.sql("select count(*) from jobs.execution")
                        .query(Long.class)
                        .single())
                .isPositive();
    }

    @Test
    void refusesToStartOnAMissingSchemaThatItMayNotCreate() {
        application
                .withPropertyValues("distributed-scheduler.migrate=false")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("lacks V1__tables.sql, V2__history_partitions.sql"));
    }

    @Test
    void startsOnASchemaThatSomebodyElseMigrated() {
        application.run(context -> assertThat(context).hasNotFailed());
        application
                .withUserConfiguration(Often.class)
                .withPropertyValues("distributed-scheduler.migrate=false")
                .run(context -> await().until(() -> runs.size() >= 1));
    }

    @Test
    void schedulerWithoutWorkersLeavesTheRunsToOthers() {
        application
                .withUserConfiguration(Often.class)
                .withPropertyValues("distributed-scheduler.worker.enabled=false")
                .run(context -> {
                    await().until(() -> jdbc.sql("select count(*) from scheduler.run")
                                    .query(Long.class)
                                    .single()
                            >= 3);
                    assertThat(runs).isEmpty();
                });
        application
                .withUserConfiguration(Often.class)
                .withPropertyValues("distributed-scheduler.dispatch.enabled=false")
                .run(context -> {
                    await().until(() -> runs.size() >= 3);
                    assertThat(events.stream().filter(LeadershipGained.class::isInstance))
                            .hasSize(1);
                });
    }

    @Test
    void markedDataSourceIsUsedAndNothingElseIsDisplaced() {
        application.withUserConfiguration(Often.class, OwnDataSource.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(DataSource.class)).isNotSameAs(context.getBean("schedulers"));
            assertThat(context).hasSingleBean(JdbcClient.class);
            await().until(() -> runs.size() >= 1);
            assertThat(context.getBean(Connections.class).pooled()).isSameAs(context.getBean("schedulers"));
        });
    }

    @Test
    void virtualThreadsAreUsedWhereTheyAreSwitchedOnAndExist() {
        application
                .withUserConfiguration(Often.class)
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> {
                    await().until(() -> !runs.isEmpty());
                    boolean java21 = Runtime.version().feature() >= 21;
                    assertThat(threads.get(0).getClass().getSimpleName())
                            .isEqualTo(java21 ? "VirtualThread" : "Thread");
                    assertThat(threads.get(0).getName()).startsWith("job-default-");
                });
    }

    @Test
    void closingTheApplicationWaitsForTheRunningJobAndTheDatabaseIsStillThere() {
        Slow.started = new CountDownLatch(1);
        application
                .withUserConfiguration(Slow.class)
                .run(context ->
                        assertThat(Slow.started.await(20, TimeUnit.SECONDS)).isTrue());

        assertThat(jdbc.sql("select outcome from scheduler.execution where job = 'slow.work'")
                        .query(String.class)
                        .list())
                .containsExactly("COMPLETED");
        assertThat(jdbc.sql("select count(*) from pg_stat_activity where application_name = 'distributed-scheduler'")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Configuration(proxyBeanMethods = false)
    static class Often {

        @Bean
        OftenJob often() {
            return new OftenJob();
        }
    }

    static class OftenJob {

        @DistributedScheduled(fixedRateString = "${every:50ms}", overlap = Overlap.ALLOW)
        private void work(JobContext context) {
            threads.add(Thread.currentThread());
            runs.add(context);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDataSource {

        @Bean(defaultCandidate = false)
        @SchedulerDataSource
        DataSource schedulers(Environment environment) {
            HikariDataSource own = new HikariDataSource();
            own.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
            own.setUsername(environment.getRequiredProperty("spring.datasource.username"));
            own.setPassword(environment.getRequiredProperty("spring.datasource.password"));
            return own;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Slow {

        private static CountDownLatch started;

        @Bean
        SlowJob slow(JdbcClient jdbc) {
            return new SlowJob(jdbc);
        }
    }

    record SlowJob(JdbcClient jdbc) {

        /** Still at work, and in need of the pool, when the application begins to close. */
        @DistributedScheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        void work() {
            Slow.started.countDown();
            jdbc.sql("select pg_sleep(1)").query().listOfRows();
        }
    }
}
