package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Operation.Act;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of an act.
 *
 * @param done whether anything was changed
 * @param runId the run that it was done to, or that came of it
 * @param runs how many, for an act on many
 * @param message why nothing was changed
 */
public record Done(
        Act act,
        boolean done,
        @Nullable Long runId,
        @Nullable Integer runs,
        @Nullable String message) implements OperationResponseBody {

    static Done run(Act act, @Nullable Long runId) {
        return new Done(act, true, runId, null, null);
    }

    static Done runs(Act act, int runs) {
        return new Done(act, runs > 0, null, runs, null);
    }

    static Done not(Act act, @Nullable Long runId, String message) {
        return new Done(act, false, runId, null, message);
    }
}
