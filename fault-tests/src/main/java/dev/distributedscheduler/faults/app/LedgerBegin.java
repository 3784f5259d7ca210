package dev.distributedscheduler.faults.app;

/**
 * The begin of an execution, entered before its work: all that is left of one whose process was killed.
 *
 * @param nanos by {@code System.nanoTime()}, as in {@link LedgerEntry}
 */
public record LedgerBegin(String job, long run, int attempt, long token, String node, long nanos) {

    private static final String SEPARATOR = "\t";
    private static final String MARK = "begin";

    /** Whether the line of a ledger's file is a begin; otherwise it is a {@link LedgerEntry}. */
    public static boolean isIn(String line) {
        return line.startsWith(MARK + SEPARATOR);
    }

    String toLine() {
        return String.join(
                SEPARATOR,
                MARK,
                job,
                Long.toString(run),
                Integer.toString(attempt),
                Long.toString(token),
                node,
                Long.toString(nanos));
    }

    /** The begin in a line of a ledger's file. */
    public static LedgerBegin parse(String line) {
        String[] fields = line.split(SEPARATOR, -1);
        return new LedgerBegin(
                fields[1],
                Long.parseLong(fields[2]),
                Integer.parseInt(fields[3]),
                Long.parseLong(fields[4]),
                fields[5],
                Long.parseLong(fields[6]));
    }
}
