package dev.distributedscheduler.benchmarks.node;

import java.util.Base64;
import java.util.BitSet;

/**
 * Which jobs of a range were executed.
 *
 * @param executed by position in the range
 * @param superfluous executions of a job that had been executed, or that was not expected
 * @param first microseconds since 1970 of the first execution
 * @param last of the last one
 */
public record Tally(BitSet executed, int superfluous, long first, long last) {

    /** Both together; what both executed is superfluous once. */
    public Tally plus(Tally other) {
        BitSet both = (BitSet) executed.clone();
        both.and(other.executed);
        BitSet either = (BitSet) executed.clone();
        either.or(other.executed);
        return new Tally(
                either,
                superfluous + other.superfluous + both.cardinality(),
                Math.min(first, other.first),
                Math.max(last, other.last));
    }

    String text() {
        String bits = Base64.getEncoder().encodeToString(executed.toByteArray());
        return superfluous + " " + first + " " + last + " " + bits;
    }

    static Tally parse(String text) {
        String[] parts = text.split(" ", -1);
        return new Tally(
                BitSet.valueOf(Base64.getDecoder().decode(parts[3])),
                Integer.parseInt(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]));
    }
}
