package dev.distributedscheduler.benchmarks.node;

import dev.distributedscheduler.benchmarks.contestant.Conditions;
import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.contestant.Contestants;
import dev.distributedscheduler.benchmarks.contestant.Instance;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The other side of {@link Node}: reads a command per line, answers each with one line, and ends with its input, so that it
 * never outlives the benchmark.
 */
public final class NodeMain {

    private final Contestant contestant;
    private final String url;
    private final String user;
    private final String password;
    private final Ledger ledger = new Ledger();
    private @Nullable Instance instance;

    private NodeMain(String contestant, String url, String user, String password) {
        this.contestant = Contestants.named(contestant);
        this.url = url;
        this.user = user;
        this.password = password;
    }

    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        NodeMain node = new NodeMain(args[0], args[1], args[2], Objects.requireNonNull(commands.readLine()));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            answers.println(node.answer(command.split(" ", -1)));
            answers.flush();
        }
        // Threads of a contestant may still run.
        Runtime.getRuntime().halt(0);
    }

    private String answer(String[] words) {
        try {
            return Node.DONE + obey(words);
        } catch (Exception failure) {
            failure.printStackTrace();
            return failure.toString().replace('\n', ' ');
        }
    }

    private String obey(String[] words) throws Exception {
        switch (words[0]) {
            case "open" -> {
                Tuning tuning = Tuning.valueOf(words[1]);
                Conditions conditions = new Conditions(url, user, password, tuning, Integer.parseInt(words[2]));
                instance = contestant.open(conditions, ledger);
            }
            case "start" -> instance().start();
            case "close" -> instance().close();
            case "expect" -> ledger.expect(JobRange.parse(words[1], words[2]));
            case "bulk" -> {
                return String.valueOf(new Enqueuer(instance()).bulk(JobRange.parse(words[1], words[2])));
            }
            case "singly" -> {
                return String.valueOf(new Enqueuer(instance()).singly(JobRange.parse(words[1], words[2])));
            }
            case "paced" -> {
                JobRange range = JobRange.parse(words[1], words[2]);
                return String.valueOf(new Enqueuer(instance()).paced(range, Integer.parseInt(words[3])));
            }
            case "executed" -> {
                return String.valueOf(ledger.page().distinct());
            }
            case "tally" -> {
                return ledger.page().tally().text();
            }
            case "latencies" -> {
                return ledger.page().latencies().text();
            }
            case "ticks" -> {
                return ledger.ticks().stream().map(Tick::text).collect(Collectors.joining(" "));
            }
            case "usage" -> {
                return Usage.now().text();
            }
            default -> throw new IllegalArgumentException("Unknown command " + words[0]);
        }
        return "";
    }

    private Instance instance() {
        return Objects.requireNonNull(instance, "not open");
    }
}
