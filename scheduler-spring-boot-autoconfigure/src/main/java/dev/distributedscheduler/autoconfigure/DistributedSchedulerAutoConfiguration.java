package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.autoconfigure.annotation.AnnotatedBeanLazyInitializationExcludeFilter;
import dev.distributedscheduler.autoconfigure.annotation.DiscoverySettings;
import dev.distributedscheduler.autoconfigure.annotation.DistributedScheduledBeanPostProcessor;
import dev.distributedscheduler.engine.ClusterLookup;
import dev.distributedscheduler.engine.DeadLetterOperations;
import dev.distributedscheduler.engine.EngineSettings;
import dev.distributedscheduler.engine.EnqueueInterceptor;
import dev.distributedscheduler.engine.RecordedOperations;
import dev.distributedscheduler.engine.RunEnqueuer;
import dev.distributedscheduler.engine.RunLookup;
import dev.distributedscheduler.engine.ScheduleOperations;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.engine.SchedulerEngine.Observers;
import dev.distributedscheduler.event.EventLog;
import dev.distributedscheduler.event.Events;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.SchemaMigrator;
import dev.distributedscheduler.store.WakeUps;
import dev.distributedscheduler.worker.AttemptInterceptor;
import dev.distributedscheduler.worker.WorkerThreads;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of a scheduler node: discovery, schema, and the engine in the application's life. */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnBooleanProperty(name = "distributed-scheduler.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DistributedSchedulerProperties.class)
public final class DistributedSchedulerAutoConfiguration {

    @Bean
    static DistributedScheduledBeanPostProcessor distributedScheduledBeanPostProcessor(
            ObjectProvider<DistributedSchedulerProperties> properties, ObjectProvider<PayloadCodec> payloads) {
        return new DistributedScheduledBeanPostProcessor(() -> new DiscoverySettings(
                properties.getObject().worker().maxAttempts(),
                payloads.getObject(),
                properties.getObject().jobs()));
    }

    @Bean
    static LazyInitializationExcludeFilter annotatedBeanLazyInitializationExcludeFilter() {
        return new AnnotatedBeanLazyInitializationExcludeFilter();
    }

    @Bean
    static LazyInitializationExcludeFilter schedulerLazyInitializationExcludeFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(SchedulerLifecycle.class);
    }

    @Bean
    @ConditionalOnMissingBean
    EngineSettings schedulerEngineSettings(DistributedSchedulerProperties properties, Environment environment) {
        return SettingsMapper.settings(properties, environment);
    }

    /** The ways to the database; an application with an unusual pool may define its own. */
    @Bean
    @ConditionalOnMissingBean
    Connections schedulerConnections(
            @SchedulerDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<PlatformTransactionManager> transactionManagers) {
        DataSource chosen = marked.getIfAvailable(() -> theOnlyOne(dataSources));
        DataSource unpooled = UnpooledDataSource.behind(chosen);
        return TransactionManagers.of(chosen, transactionManagers)
                .map(manager -> new Connections(chosen, unpooled, manager))
                .orElseGet(() -> new Connections(chosen, unpooled));
    }

    private static DataSource theOnlyOne(ObjectProvider<DataSource> dataSources) {
        DataSource only = dataSources.getIfUnique();
        if (only == null) {
            boolean none = dataSources.stream().findAny().isEmpty();
            throw new SchedulerConfigurationException(
                    none ? "The scheduler has no DataSource" : "The scheduler has several DataSources to choose from",
                    none
                            ? "Set spring.datasource.url to a PostgreSQL, or distributed-scheduler.enabled to false."
                            : "Mark the one of its PostgreSQL with @SchedulerDataSource.");
        }
        return only;
    }

    @Bean
    @ConditionalOnMissingBean
    SchedulerSchema schedulerSchema(Connections connections, DistributedSchedulerProperties properties) {
        return new SchedulerSchema(
                new SchemaMigrator(connections.unpooled(), properties.schema()), properties.migrate());
    }

    @Bean
    @ConditionalOnMissingBean
    WorkerThreads schedulerWorkerThreads(Environment environment) {
        return Threading.VIRTUAL.isActive(environment)
                ? queue -> new VirtualThreadTaskExecutor("job-" + queue + "-").getVirtualThreadFactory()
                : WorkerThreads.PLATFORM;
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadCodec schedulerPayloadCodec(ObjectProvider<JsonMapper> mapper) {
        return new JacksonPayloadCodec(
                mapper.getIfAvailable(() -> JsonMapper.builder().build()));
    }

    @Bean
    WakeUps schedulerWakeUps(Connections connections, DistributedSchedulerProperties properties) {
        return new WakeUps(new Database(connections.pooled(), properties.schema()));
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    JobScheduler jobScheduler(
            Connections connections,
            WakeUps wakeUps,
            DistributedSchedulerProperties properties,
            PayloadCodec payloads,
            Schedules schedules,
            ObjectProvider<EnqueueInterceptor> interceptor) {
        return new RunEnqueuer(
                new Database(connections.pooled(), properties.schema()),
                wakeUps,
                payloads,
                SettingsMapper.maxPayloadBytes(properties),
                schedules,
                interceptor.getIfAvailable(() -> EnqueueInterceptor.NONE));
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    Schedules jobSchedules(
            Connections connections,
            DistributedSchedulerProperties properties,
            PayloadCodec payloads,
            DistributedScheduledBeanPostProcessor discovery) {
        return new ScheduleOperations(
                new Database(connections.pooled(), properties.schema()),
                payloads,
                SettingsMapper.limits(properties),
                discovery::triggers);
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    DeadLetters deadLetters(Connections connections, DistributedSchedulerProperties properties, PayloadCodec payloads) {
        return new DeadLetterOperations(
                new Database(connections.pooled(), properties.schema()),
                payloads,
                SettingsMapper.maxPayloadBytes(properties));
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    Runs schedulerRuns(Connections connections, DistributedSchedulerProperties properties) {
        return new RunLookup(
                new Database(connections.pooled(), properties.schema()),
                properties.node().lease());
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    Cluster schedulerCluster(Connections connections, DistributedSchedulerProperties properties) {
        return new ClusterLookup(new Database(connections.pooled(), properties.schema()));
    }

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("schedulerSchema")
    Operations schedulerOperations(
            Connections connections,
            DistributedSchedulerProperties properties,
            PayloadCodec payloads,
            Schedules schedules,
            JobScheduler scheduler) {
        Database database = new Database(connections.pooled(), properties.schema());
        return new RecordedOperations(
                database,
                schedules,
                scheduler,
                new DeadLetterOperations(database, payloads, SettingsMapper.maxPayloadBytes(properties)));
    }

    @Bean
    @ConditionalOnMissingBean
    EventLog schedulerEventLog() {
        return new EventLog();
    }

    @Bean
    @DependsOn("schedulerSchema")
    SchedulerLifecycle schedulerLifecycle(
            EngineSettings settings,
            Connections connections,
            DistributedScheduledBeanPostProcessor discovery,
            WorkerThreads threads,
            WakeUps wakeUps,
            ObjectProvider<SchedulerListener> listeners,
            ObjectProvider<AttemptInterceptor> interceptor) {
        Observers observers = new Observers(
                new Events(listeners.orderedStream().toList()),
                interceptor.getIfAvailable(() -> AttemptInterceptor.NONE));
        return new SchedulerLifecycle(settings, connections, discovery, threads, wakeUps, observers);
    }
}
