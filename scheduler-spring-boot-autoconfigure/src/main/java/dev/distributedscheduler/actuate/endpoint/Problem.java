package dev.distributedscheduler.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Why a request was not answered. */
public record Problem(String error) implements OperationResponseBody {}
