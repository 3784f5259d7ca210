package dev.distributedscheduler;

import org.jspecify.annotations.Nullable;

/**
 * A job as it is declared in code.
 *
 * @param priority head start of its runs in line, in minutes
 * @param maxConcurrent runs that may be executed at once in the whole cluster; null for no limit
 * @param nodes live nodes that can execute it
 */
public record JobDetails(
        String name,
        String queue,
        int priority,
        int maxAttempts,
        @Nullable Integer maxConcurrent,
        int nodes) {}
