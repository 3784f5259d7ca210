package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.JobStatistics;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import dev.distributedscheduler.TickTrace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Ways to look at a schedule or a job: what is to come, what was, and how it went.
 *
 * @param clock where a span of time ends that the asker leaves open; nothing is decided by it
 */
record JobViews(Schedules schedules, Runs runs, Cluster cluster, InstantSource clock) {

    private static final Duration DAY = Duration.ofDays(1);
    private static final int USUAL_TICKS = 10;
    private static final int MOST_TICKS = 1_000;

    enum View {
        TICKS,
        TRACE,
        STATISTICS
    }

    /** What is asked for, as it came. */
    record Span(
            @Nullable String from,
            @Nullable String until,
            @Nullable String size) {}

    /** Ticks to come. */
    public record Ticks(List<TickPreview> ticks) implements OperationResponseBody {}

    /** What became of ticks. */
    public record Trace(Instant from, Instant until, List<TickTrace> ticks) implements OperationResponseBody {}

    /** How the attempts of a job went. */
    public record Statistics(JobStatistics statistics) implements OperationResponseBody {}

    /** Null when there is no such schedule or job. */
    @Nullable
    OperationResponseBody look(ScheduleKey key, View view, Span span) {
        Optional<ScheduleDetails> schedule = schedules.find(key);
        int most = Parameters.size(span.size(), USUAL_TICKS, MOST_TICKS);
        Instant until = Objects.requireNonNullElseGet(Parameters.timeOrNull("until", span.until()), this::soon);
        Instant from =
                Objects.requireNonNullElseGet(Parameters.timeOrNull("from", span.from()), () -> until.minus(DAY));
        return switch (view) {
            case TICKS -> schedule.isEmpty() ? null : new Ticks(schedules.preview(key, most));
            case TRACE -> schedule.isEmpty() ? null : new Trace(from, until, schedules.trace(key, from, until, most));
            case STATISTICS ->
                jobOf(key, schedule)
                        .map(job -> new Statistics(runs.statistics(job, from, until)))
                        .orElse(null);
        };
    }

    private Optional<String> jobOf(ScheduleKey key, Optional<ScheduleDetails> schedule) {
        return schedule.map(ScheduleDetails::job)
                .or(() -> key.tenant().isEmpty() ? cluster.job(key.name()).map(job -> job.name()) : Optional.empty());
    }

    JobStatistics lastDay(String job) {
        Instant until = soon();
        return runs.statistics(job, until.minus(DAY), until);
    }

    /** Beyond the clocks of the others, so that what has just ended is not left out. */
    private Instant soon() {
        return clock.instant().plus(Duration.ofMinutes(5));
    }
}
