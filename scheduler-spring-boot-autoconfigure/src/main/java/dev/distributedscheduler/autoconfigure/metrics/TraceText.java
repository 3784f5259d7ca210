package dev.distributedscheduler.autoconfigure.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a tracing library wants to find again, {@code traceparent} and the like, as the text that a run carries. */
final class TraceText {

    private TraceText() {}

    /** One line per field; null for none. A field that is no single line is left out. */
    static @Nullable String of(Map<String, String> fields) {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> {
            if (isLine(name) && name.indexOf('=') < 0 && isLine(value)) {
                text.append(text.isEmpty() ? "" : "\n").append(name).append('=').append(value);
            }
        });
        return text.isEmpty() ? null : text.toString();
    }

    private static boolean isLine(String part) {
        return part.chars().allMatch(c -> c >= ' ' && c < 127);
    }

    /** Never fails: the text may be from a version to come. */
    static Map<String, String> fields(@Nullable String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (text != null) {
            text.lines().forEach(line -> {
                int end = line.indexOf('=');
                if (end > 0) {
                    fields.put(line.substring(0, end), line.substring(end + 1));
                }
            });
        }
        return fields;
    }
}
