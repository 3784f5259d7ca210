package dev.distributedscheduler.actuate.endpoint;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Over HTTP, an answer has a status: 404 for what is not there, 400 for what cannot be understood, 409 for what cannot be done. */
final class Answers {

    private static final int CONFLICT = 409;

    private Answers() {}

    static WebEndpointResponse<Object> of(Supplier<@Nullable Object> operation) {
        try {
            Object answer = operation.get();
            if (answer == null) {
                return new WebEndpointResponse<>(
                        new Problem("There is nothing of that name or number"), WebEndpointResponse.STATUS_NOT_FOUND);
            }
            boolean refused = answer instanceof Done done && done.message() != null;
            return new WebEndpointResponse<>(answer, refused ? CONFLICT : WebEndpointResponse.STATUS_OK);
        } catch (InvalidEndpointRequestException bad) {
            return new WebEndpointResponse<>(
                    new Problem(String.valueOf(bad.getReason())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }
}
