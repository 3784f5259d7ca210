package dev.distributedscheduler;

import org.jspecify.annotations.Nullable;

/**
 * A dead letter with what is too large for lists.
 *
 * @param maxAttempts failures that a replay may have before the run is dead again
 * @param payload as stored, in JSON unless a {@code PayloadCodec} of the application's own wrote it
 * @param stackTrace of the last error
 */
public record DeadLetterDetails(
        DeadLetter letter,
        int maxAttempts,
        @Nullable String payload,
        @Nullable String stackTrace) {}
