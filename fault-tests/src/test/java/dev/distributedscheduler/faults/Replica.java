package dev.distributedscheduler.faults;

import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.app.FaultApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A replica of the application in a JVM of its own, and what can be done to a process.
 *
 * <p>It never outlives the test: {@link #close()} kills it, a shutdown hook does when the test's JVM is stopped, and the
 * replica does so itself when that JVM is gone without a word.
 */
final class Replica implements AutoCloseable {

    private static final Duration TO_OBEY = Duration.ofSeconds(10);
    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Path log;
    private final Process process;
    private boolean frozen;

    private Replica(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts a replica that logs to the directory and keeps its ledger there; returns without waiting for it. */
    static Replica start(String name, Path directory, Map<String, String> settings) {
        return start(name, directory, settings, Map.of());
    }

    /** @param environment variables of the process, beside those of this one */
    static Replica start(String name, Path directory, Map<String, String> settings, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FaultApplication.class.getName(),
                "--faults.parent=" + ProcessHandle.current().pid(),
                "--faults.ledger=" + directory.resolve(name + Ledger.SUFFIX),
                "--distributed-scheduler.node.name=" + name,
                "--spring.datasource.hikari.data-source-properties.ApplicationName=" + name,
                "--spring.main.banner-mode=off",
                "--logging.level.dev.distributedscheduler=info"));
        settings.forEach((key, value) -> command.add("--" + key + "=" + value));
        Path log = directory.resolve(name + ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            LIVE.add(process);
            return new Replica(name, log, process);
        } catch (IOException failure) {
            throw new UncheckedIOException("Replica %s did not start".formatted(name), failure);
        }
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isFrozen() {
        return frozen;
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends it without notice. */
    void kill() {
        signal("KILL");
        awaitExit(TO_OBEY);
    }

    /** Asks it to shut down; returns without waiting. */
    void terminate() {
        signal("TERM");
    }

    void awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Replica %s did not end within %s".formatted(name, patience));
            }
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", stopWaiting);
        }
    }

    /** Stops all its threads where they are, as a long pause of a virtual machine would. */
    void freeze() {
        signal("STOP");
        frozen = true;
        Path status = Path.of("/proc", Long.toString(process.pid()), "stat");
        if (Files.exists(status)) { // elsewhere than on Linux it is as good as immediate
            await().atMost(TO_OBEY).until(() -> Files.readString(status).contains(") T "));
        }
    }

    void resume() {
        signal("CONT");
        frozen = false;
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(signal, process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("Replica %s could not be sent SIG%s".formatted(name, signal));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", stopWaiting);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitExit(TO_OBEY);
        LIVE.remove(process);
    }

    @Override
    public String toString() {
        return name;
    }
}
