package dev.distributedscheduler.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An error in a form that the database can always store.
 *
 * <p>PostgreSQL refuses NUL characters and broken surrogate pairs, and nobody reads ten megabytes: both are mended here,
 * because a failure that cannot be recorded would keep its run from ever ending.
 */
public record Failure(
        String type, @Nullable String message, @Nullable String stackTrace) {

    private static final int LONGEST_MESSAGE = 4_000;
    private static final int LONGEST_TRACE = 16_000;

    public Failure {
        type = clean(type, LONGEST_MESSAGE);
        message = message == null ? null : clean(message, LONGEST_MESSAGE);
        stackTrace = stackTrace == null ? null : clean(stackTrace, LONGEST_TRACE);
    }

    public static Failure of(Throwable error) {
        return new Failure(error.getClass().getName(), messageOf(error), traceOf(error));
    }

    /** A failure that no exception stands for. */
    public static Failure of(String type, String message) {
        return new Failure(type, message, null);
    }

    private static @Nullable String messageOf(Throwable error) {
        try {
            return error.getMessage();
        } catch (Throwable unreadable) {
            return "(message not readable: %s)".formatted(unreadable.getClass().getName());
        }
    }

    private static String traceOf(Throwable error) {
        StringWriter text = new StringWriter();
        try {
            error.printStackTrace(new PrintWriter(text));
        } catch (Throwable unprintable) {
            text.append("(stack trace not printable: %s)"
                    .formatted(unprintable.getClass().getName()));
        }
        return text.toString();
    }

    private static String clean(String text, int longest) {
        String head = text.length() > longest ? text.substring(0, longest) + "… (cut)" : text;
        String paired = new String(head.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return paired.replace('\0', '\uFFFD');
    }
}
