package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
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

/** Reads when a method is to run. */
final class TriggerReader {

    private final DistributedScheduled annotation;
    private final Attributes attributes;

    TriggerReader(DistributedScheduled annotation, Attributes attributes) {
        this.annotation = annotation;
        this.attributes = attributes;
    }

    Schedule schedule(String name) {
        Trigger trigger = trigger();
        return new Schedule(name, name, trigger, initialDelay(trigger));
    }

    private @Nullable Trigger trigger() {
        String cron = attributes.text("cron", annotation.cron());
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
            throw attributes.refuse(
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
            throw attributes.refuse(
                    "%s = %s: %s".formatted(attribute, value, refused.getMessage()), "Change it.", refused);
        }
    }

    private Trigger cron(String expression) {
        ZoneId zone = zone();
        CronTrigger trigger;
        try {
            trigger = CronTrigger.of(expression, zone.getId());
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse(
                    "cron = \"%s\": %s".formatted(expression, refused.getMessage()),
                    "Use six fields (second minute hour day month weekday) or a macro such as @daily.",
                    refused);
        }
        if (trigger.next(Instant.now()) == null) {
            throw attributes.refuse(
                    "cron = \"%s\" never fires".formatted(expression),
                    "Name a date that exists, or use \"%s\" to switch the schedule off."
                            .formatted(DistributedScheduled.CRON_DISABLED),
                    null);
        }
        return trigger;
    }

    private ZoneId zone() {
        String zone = attributes.text("zone", annotation.zone());
        try {
            return zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException unknown) {
            throw attributes.refuse(
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
            throw attributes.refuse("has a cron expression and an initialDelay", "Remove the initialDelay.", null);
        }
        return delay;
    }

    /** A duration given as a number or as a text; null when it is not given. */
    private @Nullable Duration duration(String attribute, long number, String text) {
        Duration value =
                attributes.duration(attribute, text, annotation.timeUnit().toChronoUnit());
        if (number >= 0 && value != null) {
            throw attributes.refuse("gives %s twice".formatted(attribute), "Remove one of the two.", null);
        }
        return number < 0 ? value : Duration.of(number, annotation.timeUnit().toChronoUnit());
    }
}
