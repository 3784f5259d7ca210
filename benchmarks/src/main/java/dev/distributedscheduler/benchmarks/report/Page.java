package dev.distributedscheduler.benchmarks.report;

import dev.distributedscheduler.benchmarks.contestant.Conditions;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.measure.Measure;
import dev.distributedscheduler.benchmarks.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The results for people to read, with everything that is needed to doubt or repeat them. */
public final class Page {

    private final String server;
    private final String command;
    private final double loadBefore = Machine.load();

    public Page(String server, String command) {
        this.server = server;
        this.command = command;
    }

    public void write(Path file, Results results, List<Measure> measures, List<Contestant> contestants)
            throws IOException {
        Files.writeString(file, """
                # Results

                Made by `%s`.

                - Machine: %s; load average before: %.2f
                - Server: %s
                - Instances: one JVM each (`%s`), %d worker threads, %d connections; jobs are no-ops
                - Repeats in turn between the contestants, every one on a fresh database, after a warm-up that is not counted
                - "ours is" says how many times better our median is; below 1 it is worse

                ## Figures

                %s

                ## Failed checks

                %s

                ## Contestants

                %s

                ## Measures

                %s
                """.formatted(
                        command,
                        Machine.describe(),
                        loadBefore,
                        server,
                        Node.jvmOptions(),
                        Conditions.WORKERS,
                        Conditions.CONNECTIONS,
                        results.table(),
                        results.failures(),
                        contestants.stream()
                                .map(each -> "- `%s`: %s".formatted(each.name(), each.settings()))
                                .collect(Collectors.joining("\n")),
                        measures.stream()
                                .map(each -> "- `%s`: %s".formatted(each.name(), each.description()))
                                .collect(Collectors.joining("\n"))));
    }
}
