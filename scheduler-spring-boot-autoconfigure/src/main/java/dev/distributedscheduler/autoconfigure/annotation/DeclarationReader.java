package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Trigger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/** Reads one annotation, and refuses what cannot work with a message that says where it stands and what to do. */
final class DeclarationReader {

    private final DistributedScheduled annotation;
    private final String where;
    private final StringValueResolver values;

    /**
     * @param where bean and method, for messages
     * @param values resolves placeholders and expressions
     */
    DeclarationReader(DistributedScheduled annotation, String where, StringValueResolver values) {
        this.annotation = annotation;
        this.where = where;
        this.values = values;
    }

    Declaration read(String defaultName, JobHandler handler, int defaultMaxAttempts) {
        String name = text("name", annotation.name(), defaultName);
        String queue = text("queue", annotation.queue(), JobDefinition.DEFAULT_QUEUE);
        if (annotation.maxAttempts() < 0) {
            throw refuse("maxAttempts = " + annotation.maxAttempts(), "Give at least 1, or leave it out.", null);
        }
        int maxAttempts = annotation.maxAttempts() == 0 ? defaultMaxAttempts : annotation.maxAttempts();
        Duration timeout = duration("timeout", -1, annotation.timeout());
        Trigger trigger = trigger();
        Duration initialDelay = initialDelay(trigger);
        try {
            JobDefinition job = new JobDefinition(
                    name, handler, queue, annotation.priority(), maxAttempts, RetryPolicy.DEFAULT, timeout);
            return new Declaration(job, new Schedule(name, name, trigger, initialDelay));
        } catch (IllegalArgumentException refused) {
            throw refuse("is not valid: " + refused.getMessage(), "Change that attribute.", refused);
        }
    }

    private @Nullable Trigger trigger() {
        String cron = resolve("cron", annotation.cron());
        Duration rate = duration("fixedRate", annotation.fixedRate(), annotation.fixedRateString());
        Duration delay = duration("fixedDelay", annotation.fixedDelay(), annotation.fixedDelayString());
        List<String> given = new ArrayList<>();
        if (!cron.isEmpty()) {
            given.add("cron");
        }
        if (rate != null) {
            given.add("fixedRate");
        }
        if (delay != null) {
            given.add("fixedDelay");
        }
        if (given.size() != 1) {
            throw refuse(
                    given.isEmpty() ? "says not when to run" : "says when to run in several ways: " + given,
                    "Give exactly one of cron, fixedRate and fixedDelay.",
                    null);
        }
        if (rate != null) {
            return period("fixedRate", rate, FixedRateTrigger::new);
        }
        if (delay != null) {
            return period("fixedDelay", delay, FixedDelayTrigger::new);
        }
        return cron.equals(DistributedScheduled.CRON_DISABLED) ? null : cron(cron);
    }

    private Trigger period(String attribute, Duration value, Function<Duration, Trigger> trigger) {
        try {
            return trigger.apply(value);
        } catch (IllegalArgumentException refused) {
            throw refuse("%s = %s: %s".formatted(attribute, value, refused.getMessage()), "Change it.", refused);
        }
    }

    private Trigger cron(String expression) {
        ZoneId zone = zone();
        CronTrigger trigger;
        try {
            trigger = CronTrigger.of(expression, zone.getId());
        } catch (IllegalArgumentException refused) {
            throw refuse(
                    "cron = \"%s\": %s".formatted(expression, refused.getMessage()),
                    "Use six fields (second minute hour day month weekday) or a macro such as @daily.",
                    refused);
        }
        if (trigger.next(Instant.now()) == null) {
            throw refuse(
                    "cron = \"%s\" never fires".formatted(expression),
                    "Name a date that exists, or use \"%s\" to switch the schedule off."
                            .formatted(DistributedScheduled.CRON_DISABLED),
                    null);
        }
        return trigger;
    }

    private ZoneId zone() {
        String zone = resolve("zone", annotation.zone());
        try {
            return zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException unknown) {
            throw refuse(
                    "zone = \"%s\": %s".formatted(zone, unknown.getMessage()),
                    "Use a zone id such as Europe/Paris or UTC.",
                    unknown);
        }
    }

    private Duration initialDelay(@Nullable Trigger trigger) {
        Duration delay = duration("initialDelay", annotation.initialDelay(), annotation.initialDelayString());
        if (delay == null) {
            return Duration.ZERO;
        }
        if (trigger instanceof CronTrigger) {
            throw refuse("has a cron expression and an initialDelay", "Remove the initialDelay.", null);
        }
        return delay;
    }

    /** A duration given as a number or as a text; null when it is not given. */
    private @Nullable Duration duration(String attribute, long number, String text) {
        String value = resolve(attribute + "String", text);
        if (number >= 0 && !value.isEmpty()) {
            throw refuse("gives %s twice".formatted(attribute), "Remove one of the two.", null);
        }
        if (value.isEmpty()) {
            return number < 0 ? null : Duration.of(number, annotation.timeUnit().toChronoUnit());
        }
        try {
            return DurationFormatterUtils.detectAndParse(
                    value,
                    DurationFormat.Unit.fromChronoUnit(annotation.timeUnit().toChronoUnit()));
        } catch (IllegalArgumentException unreadable) {
            throw refuse(
                    "%s = \"%s\" is not a duration".formatted(attribute, value),
                    "Use a form such as 500ms, 90s, 30m, 2h or PT1M30S.",
                    unreadable);
        }
    }

    private String text(String attribute, String value, String otherwise) {
        String resolved = resolve(attribute, value);
        return resolved.isEmpty() ? otherwise : resolved;
    }

    private String resolve(String attribute, String value) {
        try {
            String resolved = values.resolveStringValue(value);
            return resolved == null ? "" : resolved.strip();
        } catch (RuntimeException unresolved) {
            throw refuse(
                    "%s = \"%s\": %s".formatted(attribute, value, unresolved.getMessage()),
                    "Define the property, or give it a default: ${property:default}.",
                    unresolved);
        }
    }

    private SchedulerConfigurationException refuse(String problem, String remedy, @Nullable Throwable cause) {
        String message = "@DistributedScheduled on %s: %s".formatted(where, problem);
        return cause == null
                ? new SchedulerConfigurationException(message, remedy)
                : new SchedulerConfigurationException(message, remedy, cause);
    }
}
