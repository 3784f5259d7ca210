package dev.distributedscheduler.autoconfigure.health;

import dev.distributedscheduler.autoconfigure.DistributedSchedulerAutoConfiguration;
import dev.distributedscheduler.autoconfigure.DistributedSchedulerProperties;
import dev.distributedscheduler.autoconfigure.RunningNode;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the health contributor {@code scheduler}, where Spring Boot's health module is there. */
@AutoConfiguration(after = DistributedSchedulerAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "distributed-scheduler.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("scheduler")
public final class SchedulerHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "schedulerHealthIndicator")
    SchedulerHealthIndicator schedulerHealthIndicator(
            ObjectProvider<RunningNode> node, DistributedSchedulerProperties properties) {
        return new SchedulerHealthIndicator(
                () -> {
                    RunningNode known = node.getIfAvailable();
                    return known == null ? null : known.status();
                },
                properties.watch().enabled() ? properties.watch().every() : Duration.ZERO,
                System::nanoTime);
    }
}
