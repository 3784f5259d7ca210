package dev.distributedscheduler.actuate.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** {@link SchedulerDeadLettersEndpoint} over HTTP. */
@EndpointWebExtension(endpoint = SchedulerDeadLettersEndpoint.class)
public final class SchedulerDeadLettersWebExtension {

    private final SchedulerDeadLettersEndpoint endpoint;

    SchedulerDeadLettersWebExtension(SchedulerDeadLettersEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<Object> list(
            @Nullable String job,
            @Nullable String errorType,
            @Nullable String from,
            @Nullable String before,
            @Nullable String after,
            @Nullable String size) {
        return Answers.of(() -> endpoint.list(job, errorType, from, before, after, size));
    }

    @ReadOperation
    public WebEndpointResponse<Object> letter(@Selector String id, SecurityContext asking) {
        return Answers.of(() -> endpoint.letter(id, asking));
    }

    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector String id,
            @Nullable String action,
            @Nullable String payload,
            @Nullable String reason,
            SecurityContext asking) {
        return Answers.of(() -> endpoint.act(id, action, payload, reason, asking));
    }

    @WriteOperation
    public WebEndpointResponse<Object> actOnAll(
            @Nullable String action,
            @Nullable String job,
            @Nullable String errorType,
            @Nullable String from,
            @Nullable String before,
            @Nullable String all,
            @Nullable String size,
            @Nullable String reason,
            SecurityContext asking) {
        return Answers.of(() -> endpoint.actOnAll(action, job, errorType, from, before, all, size, reason, asking));
    }
}
