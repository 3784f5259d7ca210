package dev.distributedscheduler;

import org.jspecify.annotations.Nullable;

/**
 * How far an attempt has come, by its own account.
 *
 * @param done how much is done
 * @param total how much there is to do; 0 when unknown
 * @param message what it is doing
 */
public record Progress(long done, long total, @Nullable String message) {}
