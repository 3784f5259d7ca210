package dev.distributedscheduler.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The PostgreSQL of this machine, run in a temporary directory; as the user {@code postgres} when we are root. */
final class InstalledPostgres {

    private static final String SUPERUSER = "postgres";

    /** Where Debian keeps the programs that are not on the path, by version. */
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "listen_addresses", "localhost",
            "unix_socket_directories", "",
            "max_connections", "200",
            "fsync", "on",
            "synchronous_commit", "on",
            "shared_buffers", "1GB",
            "max_wal_size", "8GB",
            "shared_preload_libraries", "pg_stat_statements",
            // Counted only where statements are the question.
            "pg_stat_statements.track", "none"));

    private final Path programs;

    private InstalledPostgres(Path programs) {
        this.programs = programs;
    }

    static Optional<InstalledPostgres> find() {
        return Stream.concat(onThePath(), ofDebian())
                .filter(directory -> Files.isExecutable(directory.resolve("initdb")))
                .findFirst()
                .map(InstalledPostgres::new);
    }

    private static Stream<Path> onThePath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(Path::of);
    }

    private static Stream<Path> ofDebian() {
        if (!Files.isDirectory(DEBIAN)) {
            return Stream.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin")).toList().stream();
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }

    BenchmarkServer start() {
        String directory =
                run("mktemp", "-d", "-t", "benchmark-postgres-XXXXXX").strip();
        String data = directory + "/data";
        int port = freePort();
        run(program("initdb"), "-D", data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C");
        Runnable stop = once(() -> {
            run(program("pg_ctl"), "-D", data, "-m", "immediate", "stop");
            run("rm", "-r", directory);
        });
        Thread atTheEnd = new Thread(stop);
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        run(program("pg_ctl"), "-D", data, "-l", directory + "/log", "-o", options(port), "-w", "start");
        return new BenchmarkServer(
                "jdbc:postgresql://localhost:%d/postgres".formatted(port),
                SUPERUSER,
                "",
                "installed on this machine, started for this",
                stop);
    }

    private static Runnable once(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                action.run();
            }
        };
    }

    private static String options(int port) {
        return SETTINGS.entrySet().stream()
                .map(setting -> "-c %s='%s'".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(" ", "-p %d ".formatted(port), ""));
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    private static String run(String... command) {
        List<String> all = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            all.addAll(List.of("runuser", "-u", SUPERUSER, "--"));
        }
        all.addAll(List.of(command));
        try {
            // A file, because the server that pg_ctl leaves behind would hold a pipe open for ever.
            Path output = Files.createTempFile("benchmark-", ".out");
            Process process = new ProcessBuilder(all)
                    .directory(Path.of(System.getProperty("java.io.tmpdir")).toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            int status = process.waitFor();
            String text = Files.readString(output);
            Files.delete(output);
            if (status != 0) {
                throw new IllegalStateException("%s failed:%n%s".formatted(String.join(" ", all), text));
            }
            return text;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
