package dev.distributedscheduler.faults.app;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a handler, entered when its work was done.
 *
 * @param tick null for a run that was enqueued by the test
 * @param monotonic by {@code System.nanoTime()}, which all processes of one Linux or macOS machine share
 * @param wall the same by the wall clock
 */
public record LedgerEntry(
        String job,
        @Nullable Instant tick,
        long run,
        int attempt,
        long token,
        String node,
        Span monotonic,
        WallSpan wall) {

    private static final String SEPARATOR = "\t";

    /** From and to, in nanoseconds. */
    public record Span(long start, long end) {}

    /** From and to, as people read it. */
    public record WallSpan(Instant start, Instant end) {}

    String toLine() {
        return String.join(
                SEPARATOR,
                job,
                tick == null ? "" : tick.toString(),
                Long.toString(run),
                Integer.toString(attempt),
                Long.toString(token),
                node,
                Long.toString(monotonic.start()),
                Long.toString(monotonic.end()),
                wall.start().toString(),
                wall.end().toString());
    }

    /** The entry in a line of a ledger's file. */
    public static LedgerEntry parse(String line) {
        String[] fields = line.split(SEPARATOR, -1);
        return new LedgerEntry(
                fields[0],
                fields[1].isEmpty() ? null : Instant.parse(fields[1]),
                Long.parseLong(fields[2]),
                Integer.parseInt(fields[3]),
                Long.parseLong(fields[4]),
                fields[5],
                new Span(Long.parseLong(fields[6]), Long.parseLong(fields[7])),
                new WallSpan(Instant.parse(fields[8]), Instant.parse(fields[9])));
    }
}
