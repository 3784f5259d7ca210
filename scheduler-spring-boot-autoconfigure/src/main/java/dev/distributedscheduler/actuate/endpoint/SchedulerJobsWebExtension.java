package dev.distributedscheduler.actuate.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** {@link SchedulerJobsEndpoint} over HTTP. */
@EndpointWebExtension(endpoint = SchedulerJobsEndpoint.class)
public final class SchedulerJobsWebExtension {

    private final SchedulerJobsEndpoint endpoint;

    SchedulerJobsWebExtension(SchedulerJobsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<Object> list(
            @Nullable String tenant,
            @Nullable String prefix,
            @Nullable String job,
            @Nullable String state,
            @Nullable String after,
            @Nullable String size,
            SecurityContext asking) {
        return Answers.of(() -> endpoint.list(tenant, prefix, job, state, after, size, asking));
    }

    @ReadOperation
    public WebEndpointResponse<Object> job(@Selector String name, @Nullable String tenant, SecurityContext asking) {
        return Answers.of(() -> endpoint.job(name, tenant, asking));
    }

    @ReadOperation
    public WebEndpointResponse<Object> view(
            @Selector String name,
            @Selector String view,
            @Nullable String tenant,
            @Nullable String from,
            @Nullable String until,
            @Nullable String size) {
        return Answers.of(() -> endpoint.view(name, view, tenant, from, until, size));
    }

    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector String name,
            @Nullable String action,
            @Nullable String tenant,
            @Nullable String payload,
            @Nullable String reason,
            SecurityContext asking) {
        return Answers.of(() -> endpoint.act(name, action, tenant, payload, reason, asking));
    }
}
