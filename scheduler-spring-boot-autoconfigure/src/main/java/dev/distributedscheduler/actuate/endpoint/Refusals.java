package dev.distributedscheduler.actuate.endpoint;

import java.util.function.Supplier;

/** Makes a bad request of what the scheduler refuses. */
final class Refusals {

    private Refusals() {}

    static <T> T translated(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (IllegalArgumentException refused) {
            throw Parameters.bad(String.valueOf(refused.getMessage()));
        }
    }
}
