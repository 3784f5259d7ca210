package dev.distributedscheduler.benchmarks.node;

import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An instance of a contestant in a JVM of its own, told what to do line by line. A JVM per instance keeps contestants out
 * of each other's heap and compiled code, and makes CPU time and allocation those of one of them.
 */
public final class Node implements AutoCloseable {

    static final String DONE = "done ";

    private static final List<String> JVM_OPTIONS = List.of("-Xms512m", "-Xmx1g", "-XX:+UseG1GC");
    private static final Path LOGS =
            Path.of(System.getProperty("benchmarks.logs", System.getProperty("java.io.tmpdir")));
    private static final int SECONDS_TO_END = 10;

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final Path log;

    private Node(Process process, Path log) {
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
    }

    /** Starts a JVM in which an instance can be opened. */
    public static Node launch(Contestant contestant, String url, String user, String password) {
        try {
            Path log = Files.createTempFile(Files.createDirectories(LOGS), contestant.name() + "-", ".log");
            Process process = new ProcessBuilder(command(contestant, url, user))
                    .redirectError(log.toFile())
                    .start();
            Node node = new Node(process, log);
            node.write(password);
            return node;
        } catch (IOException failure) {
            throw new UncheckedIOException("No JVM for " + contestant.name(), failure);
        }
    }

    private static List<String> command(Contestant contestant, String url, String user) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), NodeMain.class.getName(), contestant.name(), url, user));
        return command;
    }

    public static String jvmOptions() {
        return String.join(" ", JVM_OPTIONS);
    }

    /** Opens a new instance that does not execute yet. */
    public void open(Tuning tuning, int schedules) {
        ask("open %s %d".formatted(tuning, schedules));
    }

    public void start() {
        ask("start");
    }

    /** Closes the instance; the JVM stays, with what its compiler has learnt. */
    public void closeInstance() {
        ask("close");
    }

    public void expect(JobRange jobs) {
        ask("expect " + jobs);
    }

    /** Enqueues jobs in large calls; returns how many seconds that took. */
    public double enqueueBulk(JobRange jobs) {
        return Double.parseDouble(ask("bulk " + jobs));
    }

    /** Enqueues jobs one by one on eight threads; returns how many seconds that took. */
    public double enqueueSingly(JobRange jobs) {
        return Double.parseDouble(ask("singly " + jobs));
    }

    /** Enqueues jobs one by one at an even pace; returns how many seconds that took. */
    public double enqueuePaced(JobRange jobs, int perSecond) {
        return Double.parseDouble(ask("paced %s %d".formatted(jobs, perSecond)));
    }

    /** Jobs of the expected range that this node has executed. */
    public int executed() {
        return Integer.parseInt(ask("executed"));
    }

    public Tally tally() {
        return Tally.parse(ask("tally"));
    }

    public Percentiles latencies() {
        return Percentiles.parse(ask("latencies"));
    }

    public List<Tick> ticks() {
        String ticks = ask("ticks");
        return ticks.isEmpty()
                ? List.of()
                : Arrays.stream(ticks.split(" ", -1)).map(Tick::parse).toList();
    }

    public Usage usage() {
        return Usage.parse(ask("usage"));
    }

    private String ask(String command) {
        try {
            write(command);
            String answer = answers.readLine();
            if (answer == null || !answer.startsWith(DONE)) {
                throw new IllegalStateException(
                        "A node answered '%s' with '%s'; its log: %s".formatted(command, answer, log));
            }
            return answer.substring(DONE.length());
        } catch (IOException failure) {
            throw new UncheckedIOException("A node is gone; its log: " + log, failure);
        }
    }

    private void write(String line) throws IOException {
        commands.write(line);
        commands.newLine();
        commands.flush();
    }

    @Override
    public void close() {
        try {
            commands.close();
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException failure) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
