package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.actuate.endpoint.SchedulerJobsEndpoint.Secrets;
import dev.distributedscheduler.autoconfigure.DistributedSchedulerAutoConfiguration;
import dev.distributedscheduler.job.PayloadCodec;
import java.time.InstantSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the scheduler's endpoints, each of which is there when it is exposed. */
@AutoConfiguration(after = DistributedSchedulerAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Operations.class)
@EnableConfigurationProperties(SchedulerEndpointProperties.class)
public final class SchedulerEndpointAutoConfiguration {

    private final Visibility visibility;

    SchedulerEndpointAutoConfiguration(SchedulerEndpointProperties properties) {
        this.visibility = new Visibility(properties.showValues(), properties.roles());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SchedulerEndpoint schedulerEndpoint(Cluster cluster) {
        return new SchedulerEndpoint(cluster);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SchedulerJobsEndpoint schedulerJobsEndpoint(
            Schedules schedules, Runs runs, Cluster cluster, Operations operations, PayloadCodec codec) {
        JobViews views = new JobViews(schedules, runs, cluster, InstantSource.system());
        return new SchedulerJobsEndpoint(
                schedules, cluster, views, operations, new Secrets(new Payloads(codec), visibility));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SchedulerRunsEndpoint schedulerRunsEndpoint(Runs runs, Operations operations) {
        return new SchedulerRunsEndpoint(runs, operations, visibility);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SchedulerDeadLettersEndpoint schedulerDeadLettersEndpoint(
            DeadLetters letters, Operations operations, PayloadCodec codec) {
        return new SchedulerDeadLettersEndpoint(letters, operations, new Payloads(codec), visibility);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(SchedulerJobsEndpoint.class)
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    SchedulerJobsWebExtension schedulerJobsWebExtension(SchedulerJobsEndpoint endpoint) {
        return new SchedulerJobsWebExtension(endpoint);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(SchedulerRunsEndpoint.class)
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    SchedulerRunsWebExtension schedulerRunsWebExtension(SchedulerRunsEndpoint endpoint) {
        return new SchedulerRunsWebExtension(endpoint);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(SchedulerDeadLettersEndpoint.class)
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    SchedulerDeadLettersWebExtension schedulerDeadLettersWebExtension(SchedulerDeadLettersEndpoint endpoint) {
        return new SchedulerDeadLettersWebExtension(endpoint);
    }
}
