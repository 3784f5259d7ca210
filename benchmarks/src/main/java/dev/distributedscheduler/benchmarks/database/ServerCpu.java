package dev.distributedscheduler.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * CPU time of all processes of the server, from {@code /proc}: the postmaster, the children it has now, and those that have
 * ended, whose time the kernel adds to the postmaster's. Unknown for a server elsewhere.
 */
public final class ServerCpu {

    private static final Path PROC = Path.of("/proc");
    private static final double TICKS_PER_SECOND = 100;

    private final Optional<String> postmaster;

    public ServerCpu(BenchmarkDatabase database) throws SQLException {
        try (Connection connection = database.connect()) {
            this.postmaster = Stat.of(BenchmarkDatabase.text(connection, "select pg_backend_pid()"))
                    .filter(stat -> stat.program.equals("postgres"))
                    .map(stat -> stat.parent);
        }
    }

    /** Seconds so far. */
    public OptionalDouble seconds() {
        return postmaster.map(this::secondsOf).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }

    private double secondsOf(String postmaster) {
        try (Stream<Path> processes = Files.list(PROC)) {
            return processes
                            .map(path -> path.getFileName().toString())
                            .filter(name -> Character.isDigit(name.charAt(0)))
                            .flatMap(pid -> Stat.of(pid).stream())
                            .mapToLong(stat -> stat.pid.equals(postmaster)
                                    ? stat.own + stat.ofEndedChildren
                                    : stat.parent.equals(postmaster) ? stat.own : 0)
                            .sum()
                    / TICKS_PER_SECOND;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A line of {@code /proc/pid/stat}; times in ticks. */
    private record Stat(String pid, String program, String parent, long own, long ofEndedChildren) {

        /** Empty when there is no such process, or no such file system. */
        static Optional<Stat> of(String pid) {
            try {
                String line = Files.readString(PROC.resolve(pid).resolve("stat"));
                int end = line.lastIndexOf(')');
                String[] fields = line.substring(end + 2).split(" ", -1);
                return Optional.of(new Stat(
                        pid,
                        line.substring(line.indexOf('(') + 1, end),
                        fields[1],
                        Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                        Long.parseLong(fields[13]) + Long.parseLong(fields[14])));
            } catch (IOException gone) {
                return Optional.empty();
            }
        }
    }
}
