package dev.distributedscheduler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tick to come.
 *
 * @param note what the change of the clock does to it; null for nothing
 */
public record TickPreview(Instant tick, @Nullable String note) {}
