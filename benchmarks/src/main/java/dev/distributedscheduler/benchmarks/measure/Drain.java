package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.database.ServerCpu;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.node.Usage;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How fast instances execute a backlog. The clock runs from the first execution until the last job is executed and recorded.
 * The JVMs have executed a smaller backlog before; the instances are new, so that they find the whole backlog in place.
 */
final class Drain implements Measure {

    private static final Figure RATE = Figure.higher("drain", "jobs/s");
    private static final Figure JVM_CPU = Figure.lower("CPU of the JVMs", "µs/job");
    private static final Figure SERVER_CPU = Figure.lower("CPU of PostgreSQL", "µs/job");
    private static final Figure ALLOCATION = Figure.lower("allocation of the JVMs", "bytes/job");

    /** Whoever has a smaller usual backlog would take minutes for a large one. */
    private static final int FAST = 50_000;

    private final String name;
    private final String description;
    private final int instances;
    private final int backlog;
    private final long history;

    private Drain(String name, String description, int instances, int backlog, long history) {
        this.name = name;
        this.description = description;
        this.instances = instances;
        this.backlog = backlog;
        this.history = history;
    }

    /** Several instances, with the backlog that the contestant names for each. */
    static Drain by(int instances) {
        return new Drain(
                instances == 1 ? "drain" : "drain-" + instances,
                "%d instance(s) execute a backlog of no-op jobs; from the first execution until all are recorded"
                        .formatted(instances),
                instances,
                0,
                0);
    }

    /** One instance, with a backlog of the given size. */
    static Drain of(String name, int backlog) {
        return new Drain(
                name,
                "as `drain`, with %,d jobs; rates should be equal at all sizes".formatted(backlog),
                1,
                backlog,
                0);
    }

    /** One instance, whose history is long. */
    static Drain beside(long history) {
        return new Drain("history", "as `drain`, beside a history of %,d older runs".formatted(history), 1, 0, history);
    }

    /** Whether a million jobs are a reasonable thing to ask for. */
    static boolean isFast(Contestant contestant) {
        return contestant.abilities().contains(Ability.EXECUTE) && contestant.backlog() >= FAST;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public boolean suits(Contestant contestant) {
        if (history > 0) {
            return contestant.abilities().contains(Ability.REMEMBER);
        }
        return backlog > 0 ? isFast(contestant) : contestant.abilities().contains(Ability.EXECUTE);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) throws Exception {
        if (history > 0) {
            fillHistory(trial);
        }
        int usual = trial.sizes().scaled(trial.contestant().backlog() * instances);
        int size = backlog > 0 ? trial.sizes().scaled(backlog) : usual;
        List<Node> nodes = trial.launch(instances);
        JobRange warmUp = new JobRange(0, usual / 2 + 1);
        drain(trial, nodes, warmUp);
        return drain(trial, nodes, warmUp.next(size));
    }

    private void fillHistory(Trial trial) throws SQLException {
        try (Connection connection = trial.database().connect()) {
            trial.contestant()
                    .fillHistory(connection, (long) (history * trial.sizes().scale()));
        }
    }

    private static Map<Figure, Double> drain(Trial trial, List<Node> nodes, JobRange jobs) throws Exception {
        nodes.forEach(node -> node.open(Tuning.FOR_LOAD, 0));
        Backlog backlog = new Backlog(jobs, nodes);
        nodes.get(0).enqueueBulk(jobs);
        trial.database().settle();

        ServerCpu server = new ServerCpu(trial.database());
        OptionalDouble serverBefore = server.seconds();
        Usage before = usage(nodes);
        nodes.parallelStream().forEach(Node::start);
        long end = backlog.awaitEnd(trial);
        Usage used = usage(nodes).since(before);
        OptionalDouble serverAfter = server.seconds();
        long begin = backlog.check().first();
        nodes.parallelStream().forEach(Node::closeInstance);

        Map<Figure, Double> figures = new LinkedHashMap<>();
        figures.put(RATE, jobs.count() * 1e6 / (end - begin));
        figures.put(JVM_CPU, used.cpuNanos() / 1e3 / jobs.count());
        if (serverBefore.isPresent() && serverAfter.isPresent()) {
            figures.put(SERVER_CPU, (serverAfter.getAsDouble() - serverBefore.getAsDouble()) * 1e6 / jobs.count());
        }
        figures.put(ALLOCATION, (double) used.allocatedBytes() / jobs.count());
        return figures;
    }

    private static Usage usage(List<Node> nodes) {
        return nodes.stream().map(Node::usage).reduce(Usage::plus).orElseThrow();
    }
}
