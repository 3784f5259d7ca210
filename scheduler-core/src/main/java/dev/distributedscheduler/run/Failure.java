package dev.distributedscheduler.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** An error in a form that can always be stored: one that cannot would keep its run from ever ending. */
public record Failure(
        String type, @Nullable String message, @Nullable String stackTrace) {

    public static final int LONGEST_TRACE = 16_000;

    private static final int LONGEST_MESSAGE = 4_000;

    public Failure {
        type = StorableText.of(type, LONGEST_MESSAGE);
        message = message == null ? null : StorableText.of(message, LONGEST_MESSAGE);
        stackTrace = stackTrace == null ? null : StorableText.of(stackTrace, LONGEST_TRACE);
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
}
