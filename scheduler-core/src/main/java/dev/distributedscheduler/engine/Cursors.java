package dev.distributedscheduler.engine;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.store.HistorySearch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The text by which a page names its successor, and what may come back of it. */
final class Cursors {

    private static final String BETWEEN = "~";
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Cursors() {}

    /** How many a page may have. */
    static int size(int most, int largest) {
        if (most < 1) {
            throw new IllegalArgumentException("A page has at least one entry, not %d".formatted(most));
        }
        return Math.min(most, largest);
    }

    static long run(@Nullable String after) {
        return after == null ? Long.MAX_VALUE : number(after, after);
    }

    static HistorySearch.@Nullable Position attempt(@Nullable String after) {
        if (after == null) {
            return null;
        }
        List<String> parts = parts(after, 3);
        return new HistorySearch.Position(
                time(parts.get(0), after), number(parts.get(1), after), number(parts.get(2), after));
    }

    static @Nullable String text(HistorySearch.@Nullable Position position) {
        return position == null
                ? null
                : position.finishedAt() + BETWEEN + position.runId() + BETWEEN + position.token();
    }

    static DeadLetter.@Nullable Position deadLetter(@Nullable String after) {
        if (after == null) {
            return null;
        }
        List<String> parts = parts(after, 2);
        return new DeadLetter.Position(time(parts.get(0), after), number(parts.get(1), after));
    }

    static @Nullable String text(DeadLetter.@Nullable Position position) {
        return position == null ? null : position.diedAt() + BETWEEN + position.runId();
    }

    /** Names may have any characters: encoded, so that they need no care in an address. */
    static @Nullable ScheduleKey schedule(@Nullable String after) {
        if (after == null) {
            return null;
        }
        List<String> parts = parts(after, 2);
        try {
            return new ScheduleKey(decoded(parts.get(0)), decoded(parts.get(1)));
        } catch (IllegalArgumentException malformed) {
            throw refused(after);
        }
    }

    static @Nullable String text(@Nullable ScheduleKey key) {
        return key == null ? null : encoded(key.tenant()) + BETWEEN + encoded(key.name());
    }

    private static String encoded(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        String name = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("zero");
        }
        return name;
    }

    private static List<String> parts(String after, int count) {
        List<String> parts = List.of(after.split(BETWEEN, -1));
        if (parts.size() != count) {
            throw refused(after);
        }
        return parts;
    }

    private static Instant time(String text, String after) {
        try {
            Instant time = Instant.parse(text);
            if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
                throw refused(after);
            }
            return time;
        } catch (DateTimeParseException malformed) {
            throw refused(after);
        }
    }

    private static long number(String text, String after) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException malformed) {
            throw refused(after);
        }
    }

    private static IllegalArgumentException refused(String after) {
        return new IllegalArgumentException("'%s' is not the 'next' of a page of this list"
                .formatted(after.length() > 100 ? after.substring(0, 100) + "…" : after));
    }
}
