package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.autoconfigure.DistributedSchedulerAutoConfiguration;
import dev.distributedscheduler.autoconfigure.DistributedSchedulerProperties;
import dev.distributedscheduler.autoconfigure.RunningNode;
import dev.distributedscheduler.engine.EnqueueInterceptor;
import dev.distributedscheduler.worker.AttemptInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of meters and observations, where Micrometer is there. */
@AutoConfiguration(after = DistributedSchedulerAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "distributed-scheduler.enabled", matchIfMissing = true)
public final class SchedulerMetricsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBooleanProperty(name = "distributed-scheduler.metrics.enabled", matchIfMissing = true)
    static class Meters {

        /** The node is asked for later: it is told of these meters when it is made. */
        @Bean
        @ConditionalOnMissingBean
        SchedulerMeters schedulerMeters(ObjectProvider<RunningNode> node, DistributedSchedulerProperties properties) {
            return new SchedulerMeters(
                    () -> {
                        RunningNode known = node.getIfAvailable();
                        return known == null ? null : known.status();
                    },
                    properties.metrics().maxJobs());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBooleanProperty(name = "distributed-scheduler.metrics.observations", matchIfMissing = true)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean
        AttemptInterceptor schedulerAttemptObservations(
                ObjectProvider<ObservationRegistry> registry,
                ObjectProvider<RunObservationConvention> convention,
                DistributedSchedulerProperties properties) {
            return new ObservedAttempts(
                    registry.getIfAvailable(() -> ObservationRegistry.NOOP),
                    convention.getIfAvailable(() -> new DefaultRunObservationConvention(
                            properties.metrics().maxJobs())));
        }

        @Bean
        @ConditionalOnMissingBean
        EnqueueInterceptor schedulerEnqueueObservations(
                ObjectProvider<ObservationRegistry> registry, DistributedSchedulerProperties properties) {
            return new ObservedEnqueues(
                    registry.getIfAvailable(() -> ObservationRegistry.NOOP),
                    properties.metrics().maxJobs());
        }
    }
}
