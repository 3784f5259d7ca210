package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads the attributes of an annotation, and refuses with a message that says where it stands and what to do.
 *
 * @param where annotation, method and bean
 * @param values resolves placeholders and expressions
 */
record Attributes(String where, StringValueResolver values) {

    String text(String attribute, String value, String otherwise) {
        String resolved = text(attribute, value);
        return resolved.isEmpty() ? otherwise : resolved;
    }

    String text(String attribute, String value) {
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

    /** Null when it is not given. */
    @Nullable
    Duration duration(String attribute, String text, ChronoUnit unitOfNumbers) {
        String value = text(attribute, text);
        try {
            return value.isEmpty()
                    ? null
                    : DurationFormatterUtils.detectAndParse(value, DurationFormat.Unit.fromChronoUnit(unitOfNumbers));
        } catch (IllegalArgumentException unreadable) {
            throw refuse(
                    "%s = \"%s\" is not a duration".formatted(attribute, value),
                    "Use a form such as 500ms, 90s, 30m, 2h or PT1M30S.",
                    unreadable);
        }
    }

    /** The zone of the JVM when it is not given. */
    ZoneId zone(String attribute, String text) {
        String value = text(attribute, text);
        try {
            return value.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(value);
        } catch (DateTimeException unknown) {
            throw refuse(
                    "%s = \"%s\": %s".formatted(attribute, value, unknown.getMessage()),
                    "Use a zone id such as Europe/Paris or UTC.",
                    unknown);
        }
    }

    /**
     * A time with an offset, or a local time or date; null when it is not given.
     *
     * @param zone of local ones
     */
    @Nullable
    Instant time(String attribute, String text, ZoneId zone) {
        String value = text(attribute, text);
        try {
            return value.isEmpty() ? null : time(value, zone).truncatedTo(ChronoUnit.MICROS);
        } catch (DateTimeException unreadable) {
            throw refuse(
                    "%s = \"%s\" is not a time".formatted(attribute, value),
                    "Use 2026-12-01T08:00:00Z, or a local time or date of the zone: 2026-12-01T08:00 or 2026-12-01.",
                    unreadable);
        }
    }

    private static Instant time(String value, ZoneId zone) {
        if (!value.contains("T")) {
            return LocalDate.parse(value).atStartOfDay(zone).toInstant();
        }
        TemporalAccessor time =
                DateTimeFormatter.ISO_DATE_TIME.parseBest(value, ZonedDateTime::from, LocalDateTime::from);
        return time instanceof LocalDateTime local ? local.atZone(zone).toInstant() : Instant.from(time);
    }

    SchedulerConfigurationException refuse(String problem, String remedy, @Nullable Throwable cause) {
        String message = "%s: %s".formatted(where, problem);
        return cause == null
                ? new SchedulerConfigurationException(message, remedy)
                : new SchedulerConfigurationException(message, remedy, cause);
    }
}
