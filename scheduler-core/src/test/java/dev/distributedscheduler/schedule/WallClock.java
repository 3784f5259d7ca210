package dev.distributedscheduler.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A clock on a wall, watched minute by minute: what it shows, which times it shows again, and which it leaves out.
 *
 * <p>Knows nothing of transitions and rules; asks only what the clock shows at an instant.
 */
final class WallClock {

    private final Instant from;
    private final List<LocalDateTime> shown = new ArrayList<>();
    private final List<List<LocalDateTime>> leftOut = new ArrayList<>();
    private final BitSet again = new BitSet();

    /**
     * @param from a full minute, as is every change of the clock until {@code to}
     * @param to excluded
     */
    WallClock(ZoneId zone, Instant from, Instant to) {
        this.from = from;
        Set<LocalDateTime> seen = new HashSet<>();
        LocalDateTime expected = LocalDateTime.ofInstant(from, zone);
        for (Instant instant = from; instant.isBefore(to); instant = instant.plusSeconds(60)) {
            LocalDateTime now = LocalDateTime.ofInstant(instant, zone);
            again.set(shown.size(), !seen.add(now));
            leftOut.add(now.isAfter(expected) ? minutes(expected, now) : List.of());
            shown.add(now);
            expected = now.plusMinutes(1);
        }
    }

    private static List<LocalDateTime> minutes(LocalDateTime from, LocalDateTime to) {
        return Stream.iterate(from, minute -> minute.isBefore(to), minute -> minute.plusMinutes(1))
                .toList();
    }

    int minutes() {
        return shown.size();
    }

    Instant instant(int minute) {
        return from.plus(Duration.ofMinutes(minute));
    }

    LocalDateTime shown(int minute) {
        return shown.get(minute);
    }

    boolean shownAgain(int minute) {
        return again.get(minute);
    }

    /** The times that the clock should have shown since the minute before, and did not. */
    List<LocalDateTime> leftOut(int minute) {
        return leftOut.get(minute);
    }
}
