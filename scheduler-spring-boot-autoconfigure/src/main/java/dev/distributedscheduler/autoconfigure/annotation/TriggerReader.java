package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceAfterTrigger;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Reads when a method is to run: what the configuration says, or else its annotation. */
final class TriggerReader {

    private static final String GIVE_ONE =
            "Give exactly one of cron, fixedRate, fixedDelay and trigger, or an initialDelay alone for a single run.";

    private final ScheduledMethod method;
    private final DistributedScheduled annotation;
    private final JobOverrides overrides;
    private final Attributes attributes;
    private final Supplier<TriggerBeans> beans;

    TriggerReader(ScheduledMethod method, Supplier<TriggerBeans> beans) {
        this.method = method;
        this.annotation = method.annotation();
        this.overrides = method.overrides();
        this.attributes = method.attributes();
        this.beans = beans;
    }

    /** A way to say when; yields nothing when it says: never. */
    @FunctionalInterface
    private interface Way {

        @Nullable
        Trigger read();
    }

    /** Null when the schedule is switched off. */
    @Nullable
    Trigger trigger() {
        if (Boolean.FALSE.equals(overrides.enabled())) {
            return null;
        }
        Map<String, Way> configured = configured();
        return configured.isEmpty() ? only(annotated(), GIVE_ONE) : only(configured, "Keep one of them.");
    }

    private Map<String, Way> configured() {
        Map<String, Way> ways = new LinkedHashMap<>();
        String cron = overrides.cron();
        if (StringUtils.hasText(cron)) {
            ways.put(method.property("cron"), () -> cron(method.property("cron"), cron));
        }
        add(ways, method.property("fixed-rate"), overrides.fixedRate(), FixedRateTrigger::new);
        add(ways, method.property("fixed-delay"), overrides.fixedDelay(), FixedDelayTrigger::new);
        return ways;
    }

    private Map<String, Way> annotated() {
        Map<String, Way> ways = new LinkedHashMap<>();
        String cron = attributes.text("cron", annotation.cron());
        if (!cron.isEmpty()) {
            ways.put("cron", () -> cron("cron", cron));
        }
        add(ways, "fixedRate", rate(), FixedRateTrigger::new);
        add(ways, "fixedDelay", delay(), FixedDelayTrigger::new);
        String bean = attributes.text("trigger", annotation.trigger());
        if (!bean.isEmpty()) {
            ways.put("trigger", () -> bean(bean));
        }
        if (ways.isEmpty()) {
            add(ways, "initialDelay", initialDelay(), OnceAfterTrigger::new);
        }
        return ways;
    }

    private void add(
            Map<String, Way> ways, String label, @Nullable Duration value, Function<Duration, Trigger> trigger) {
        if (value != null) {
            ways.put(label, () -> period(label, value, trigger));
        }
    }

    private @Nullable Trigger only(Map<String, Way> ways, String remedy) {
        if (ways.size() != 1) {
            throw attributes.refuse(
                    ways.isEmpty() ? "says not when to run" : "says when to run in several ways: " + ways.keySet(),
                    remedy,
                    null);
        }
        return ways.values().iterator().next().read();
    }

    private Trigger period(String label, Duration value, Function<Duration, Trigger> trigger) {
        try {
            return trigger.apply(value);
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse("%s = %s: %s".formatted(label, value, refused.getMessage()), "Change it.", refused);
        }
    }

    private Trigger bean(String name) {
        TriggerBeans known = beans.get();
        if (!known.beans().containsKey(name)) {
            throw attributes.refuse(
                    "trigger = \"%s\": there is no Trigger bean of that name".formatted(name),
                    known.beans().isEmpty()
                            ? "Declare a bean of type org.springframework.scheduling.Trigger."
                            : "Name one of those that there are: %s."
                                    .formatted(new TreeSet<>(known.beans().keySet())),
                    null);
        }
        return known.get(name);
    }

    private @Nullable Trigger cron(String label, String expression) {
        if (expression.equals(DistributedScheduled.CRON_DISABLED)) {
            return null;
        }
        CronTrigger trigger;
        try {
            trigger = CronTrigger.of(expression, method.zone().getId(), annotation.dstGap(), annotation.dstOverlap());
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse(
                    "%s = \"%s\": %s".formatted(label, expression, refused.getMessage()),
                    "Use six fields (second minute hour day month weekday) or a macro such as @daily.",
                    refused);
        }
        if (trigger.next(Instant.now()) == null) {
            throw attributes.refuse(
                    "%s = \"%s\" never fires".formatted(label, expression),
                    "Name a date that exists, or use \"%s\" to switch the schedule off."
                            .formatted(DistributedScheduled.CRON_DISABLED),
                    null);
        }
        return trigger;
    }

    /** The wait before the first tick of {@code trigger}. */
    Duration initialDelay(Trigger trigger) {
        Duration delay = initialDelay();
        if (delay == null || trigger instanceof OnceAfterTrigger) {
            return Duration.ZERO;
        }
        if (trigger instanceof CronTrigger) {
            if (configured().isEmpty()) {
                throw attributes.refuse("has a cron expression and an initialDelay", "Remove the initialDelay.", null);
            }
            return Duration.ZERO;
        }
        return delay;
    }

    private @Nullable Duration rate() {
        return duration("fixedRate", annotation.fixedRate(), annotation.fixedRateString());
    }

    private @Nullable Duration delay() {
        return duration("fixedDelay", annotation.fixedDelay(), annotation.fixedDelayString());
    }

    private @Nullable Duration initialDelay() {
        return duration("initialDelay", annotation.initialDelay(), annotation.initialDelayString());
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
