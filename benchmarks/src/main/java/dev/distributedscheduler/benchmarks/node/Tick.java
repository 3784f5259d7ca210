package dev.distributedscheduler.benchmarks.node;

/** A tick that was executed; times in microseconds since 1970. */
public record Tick(String schedule, long due, long executed) {

    String text() {
        return schedule + "@" + due + "@" + executed;
    }

    static Tick parse(String text) {
        String[] parts = text.split("@", -1);
        return new Tick(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
