package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.job.Names;
import java.security.Principal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Reads what came with a request, as texts, so that a refusal can say what is wrong. */
final class Parameters {

    private static final String ANONYMOUS = "anonymous";
    private static final int LONGEST_ECHO = 100;
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private Parameters() {}

    static ScheduleKey key(@Nullable String tenant, String name) {
        return new ScheduleKey(tenant == null || tenant.isEmpty() ? "" : name("tenant", tenant), name("job", name));
    }

    static @Nullable String nameOrNull(String what, @Nullable String name) {
        return name == null ? null : name(what, name);
    }

    static String name(String what, String name) {
        try {
            return Names.check(what, name);
        } catch (IllegalArgumentException refused) {
            throw bad(String.valueOf(refused.getMessage()));
        }
    }

    static long runId(String id) {
        return number("A run's id", id);
    }

    /** How many; more than the largest is as good as the largest. */
    static int size(@Nullable String size, int usual, int largest) {
        if (size == null) {
            return usual;
        }
        long number = number("'size'", size);
        if (number < 1) {
            throw bad("'size' is at least 1, not %d".formatted(number));
        }
        return (int) Math.min(number, largest);
    }

    private static long number(String what, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException malformed) {
            throw bad("%s is a whole number, unlike '%s'".formatted(what, echo(text)));
        }
    }

    static boolean flag(String what, @Nullable String text) {
        return text != null && choice(what, text, List.of("TRUE", "FALSE")).equals("TRUE");
    }

    static @Nullable Instant timeOrNull(String what, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Instant time = Instant.parse(text);
            if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
                throw new DateTimeException("too far away");
            }
            return time;
        } catch (DateTimeException malformed) {
            throw bad("'%s' is a time like 2026-03-29T01:00:00Z, unlike '%s'".formatted(what, echo(text)));
        }
    }

    static <E extends Enum<E>> E choice(String what, @Nullable String text, Class<E> choices) {
        List<String> names =
                Arrays.stream(choices.getEnumConstants()).map(Enum::name).toList();
        return Enum.valueOf(choices, choice(what, text == null ? "" : text, names));
    }

    static @Nullable String choiceOrNull(String what, @Nullable String text, List<String> choices) {
        return text == null ? null : choice(what, text, choices);
    }

    private static String choice(String what, String text, List<String> choices) {
        String upper = text.toUpperCase(Locale.ROOT);
        if (!choices.contains(upper)) {
            throw bad("'%s' is one of %s, unlike '%s'"
                    .formatted(what, String.join(", ", choices).toLowerCase(Locale.ROOT), echo(text)));
        }
        return upper;
    }

    /** Who asks for something to be done. */
    static Note note(SecurityContext asking, @Nullable String reason) {
        Principal principal = asking.getPrincipal();
        String who = principal == null ? ANONYMOUS : principal.getName().replace('\0', ' ');
        String cut = who.length() > Note.LONGEST_WHO ? who.substring(0, Note.LONGEST_WHO) : who;
        try {
            return new Note(cut, reason);
        } catch (IllegalArgumentException refused) {
            throw bad(String.valueOf(refused.getMessage()));
        }
    }

    static InvalidEndpointRequestException bad(String reason) {
        return new InvalidEndpointRequestException(reason, reason);
    }

    private static String echo(String text) {
        return text.length() > LONGEST_ECHO ? text.substring(0, LONGEST_ECHO) + "…" : text;
    }
}
