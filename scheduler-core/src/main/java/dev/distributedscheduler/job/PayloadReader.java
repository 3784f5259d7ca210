package dev.distributedscheduler.job;

import org.jspecify.annotations.Nullable;

/** Makes of the text that the database keeps what a handler wants. */
@FunctionalInterface
public interface PayloadReader {

    /** For a handler that wants none. */
    PayloadReader NONE = text -> null;

    /** Throws when the text does not fit. */
    @Nullable
    Object read(@Nullable String text);
}
