package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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

    SchedulerConfigurationException refuse(String problem, String remedy, @Nullable Throwable cause) {
        String message = "%s: %s".formatted(where, problem);
        return cause == null
                ? new SchedulerConfigurationException(message, remedy)
                : new SchedulerConfigurationException(message, remedy, cause);
    }
}
