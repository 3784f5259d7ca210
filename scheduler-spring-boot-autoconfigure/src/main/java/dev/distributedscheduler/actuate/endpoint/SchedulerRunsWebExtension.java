package dev.distributedscheduler.actuate.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** {@link SchedulerRunsEndpoint} over HTTP. */
@EndpointWebExtension(endpoint = SchedulerRunsEndpoint.class)
public final class SchedulerRunsWebExtension {

    private final SchedulerRunsEndpoint endpoint;

    SchedulerRunsWebExtension(SchedulerRunsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<Object> live(
            @Nullable String job,
            @Nullable String queue,
            @Nullable String state,
            @Nullable String after,
            @Nullable String size) {
        return Answers.of(() -> endpoint.live(job, queue, state, after, size));
    }

    @ReadOperation
    public WebEndpointResponse<Object> run(
            @Selector String id,
            @Nullable String job,
            @Nullable String outcome,
            @Nullable String from,
            @Nullable String before,
            @Nullable String after,
            @Nullable String size,
            SecurityContext asking) {
        return Answers.of(() -> endpoint.run(id, job, outcome, from, before, after, size, asking));
    }

    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector String id, @Nullable String action, @Nullable String reason, SecurityContext asking) {
        return Answers.of(() -> endpoint.act(id, action, reason, asking));
    }
}
