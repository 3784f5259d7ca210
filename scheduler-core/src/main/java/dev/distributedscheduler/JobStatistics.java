package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the attempts of a job went in a span of time.
 *
 * <p>If there were very many, only the latest are counted; then {@code since} is later than what was asked for.
 *
 * @param since from when on attempts are counted
 * @param until to when, exclusive
 * @param sampled whether there were more attempts than were counted
 * @param attempts how many were counted
 * @param outcomes how many ended in which way; SKIPPED are ticks that became no run
 * @param successRate completed ones among those that completed, failed, timed out or were lost; null when there is none
 * @param p50 half of the completed attempts took no longer
 * @param p95 nineteen of twenty completed attempts took no longer
 * @param longest of the completed attempts
 * @param lastSuccess end of the latest completed attempt
 */
public record JobStatistics(
        String job,
        Instant since,
        Instant until,
        boolean sampled,
        long attempts,
        Map<String, Long> outcomes,
        @Nullable Double successRate,
        @Nullable Duration p50,
        @Nullable Duration p95,
        @Nullable Duration longest,
        @Nullable Instant lastSuccess) {}
