package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Spread;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Supplier;

/** Reads the schedule of a method: what its annotation says, unless the configuration says otherwise. */
final class ScheduleReader {

    private final ScheduledMethod method;
    private final DistributedScheduled annotation;
    private final JobOverrides overrides;
    private final Attributes attributes;
    private final TriggerReader triggers;

    ScheduleReader(ScheduledMethod method, Supplier<TriggerBeans> beans) {
        this.method = method;
        this.annotation = method.annotation();
        this.overrides = method.overrides();
        this.attributes = method.attributes();
        this.triggers = new TriggerReader(method, beans);
    }

    /** @param job the policies of the job that it runs */
    Schedule read(JobPolicy job) {
        ScheduleKey key = ScheduleKey.of(method.name());
        SchedulePolicy policy = policy(job);
        Trigger trigger = triggers.trigger();
        return trigger == null
                ? new Schedule(key, method.name(), null, Duration.ZERO, policy, Schedule.Work.OF_THE_JOB)
                : new Schedule(
                        key,
                        method.name(),
                        timing(key, trigger),
                        triggers.initialDelay(trigger),
                        policy,
                        Schedule.Work.OF_THE_JOB);
    }

    private Timing timing(ScheduleKey key, Trigger trigger) {
        ZoneId zone = method.zone();
        Instant from = attributes.time("from", annotation.from(), zone);
        Instant until = attributes.time("until", annotation.until(), zone);
        if (from != null && until != null && !from.isBefore(until)) {
            throw attributes.refuse(
                    "until = \"%s\" is not after from = \"%s\"".formatted(annotation.until(), annotation.from()),
                    "Change one of the two, or leave it out.",
                    null);
        }
        return new Timing(trigger, shift(key), from, until);
    }

    private Duration shift(ScheduleKey key) {
        boolean overridden = overrides.spread() != null;
        Duration span =
                overridden ? overrides.spread() : attributes.duration("spread", annotation.spread(), ChronoUnit.MILLIS);
        try {
            return span == null ? Duration.ZERO : Spread.shift(key, span);
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse(
                    "%s = %s: %s"
                            .formatted(overridden ? method.property("spread") : "spread", span, refused.getMessage()),
                    "Use a form such as 30s or 10m.",
                    refused);
        }
    }

    private SchedulePolicy policy(JobPolicy job) {
        Overlap overlap = Objects.requireNonNullElse(overrides.overlap(), annotation.overlap());
        boolean several = job.maxConcurrent() != null && job.maxConcurrent() > 1;
        if (several && overlap != Overlap.ALLOW && overrides.overlap() == null) {
            throw attributes.refuse(
                    "maxConcurrent = %d, but overlap = %s lets no two runs be live at once"
                            .formatted(job.maxConcurrent(), overlap),
                    "Set overlap = ALLOW, or leave maxConcurrent out.",
                    null);
        }
        boolean overridden = overrides.misfireGrace() != null;
        Duration grace = overridden
                ? overrides.misfireGrace()
                : attributes.duration("misfireGrace", annotation.misfireGrace(), ChronoUnit.MILLIS);
        try {
            return new SchedulePolicy(
                    Objects.requireNonNullElse(overrides.misfire(), annotation.misfire()), grace, overlap, null);
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse(
                    "%s = %s: %s"
                            .formatted(
                                    overridden ? method.property("misfire-grace") : "misfireGrace",
                                    grace,
                                    refused.getMessage()),
                    "Use a form such as 30m or 6h, or leave it out.",
                    refused);
        }
    }
}
