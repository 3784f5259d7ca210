package dev.distributedscheduler.actuate.endpoint;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the scheduler's endpoints.
 *
 * @param showValues When to show payloads and stack traces.
 * @param roles Roles of which a user must have one to be authorized to see them; when empty, all authenticated users are.
 */
@ConfigurationProperties("distributed-scheduler.endpoints")
public record SchedulerEndpointProperties(
        @DefaultValue("never") Show showValues,
        @DefaultValue Set<String> roles) {}
