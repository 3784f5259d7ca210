package dev.distributedscheduler.benchmarks.node;

/** Jobs of consecutive numbers. */
public record JobRange(int from, int count) {

    /** The range of the given size behind this one. */
    public JobRange next(int size) {
        return new JobRange(from + count, size);
    }

    boolean contains(int number) {
        return number >= from && number < from + count;
    }

    @Override
    public String toString() {
        return from + " " + count;
    }

    static JobRange parse(String from, String count) {
        return new JobRange(Integer.parseInt(from), Integer.parseInt(count));
    }
}
