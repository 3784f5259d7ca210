package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.node.Percentiles;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long a job waits from the call that enqueues it until an idle instance executes it. */
final class Latency implements Measure {

    private static final Figure P50 = Figure.lower("latency p50", "ms");
    private static final Figure P95 = Figure.lower("latency p95", "ms");
    private static final Figure P99 = Figure.lower("latency p99", "ms");
    private static final Figure MAX = Figure.lower("latency max", "ms");
    private static final Figure PACE = Figure.higher("pace kept", "jobs/s");
    private static final int WARM_UP_SECONDS = 3;

    private final int perSecond;
    private final boolean fromAnotherProcess;

    Latency(int perSecond, boolean fromAnotherProcess) {
        this.perSecond = perSecond;
        this.fromAnotherProcess = fromAnotherProcess;
    }

    @Override
    public String name() {
        return (fromAnotherProcess ? "latency-other-" : "latency-same-") + perSecond;
    }

    @Override
    public String description() {
        return "from just before a job is enqueued, %d per second on 8 threads of %s, until its handler is called"
                .formatted(perSecond, fromAnotherProcess ? "a process that executes nothing" : "the executing process");
    }

    @Override
    public boolean suits(Contestant contestant) {
        return contestant.abilities().contains(Ability.NOTICE);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) throws Exception {
        List<Node> nodes = trial.open(fromAnotherProcess ? 2 : 1);
        Node executing = nodes.get(0);
        Node enqueueing = nodes.get(nodes.size() - 1);
        executing.start();
        JobRange warmUp = new JobRange(0, perSecond * WARM_UP_SECONDS);
        enqueue(trial, enqueueing, executing, warmUp);

        JobRange jobs = warmUp.next(perSecond * trial.sizes().seconds());
        double seconds = enqueue(trial, enqueueing, executing, jobs);
        Percentiles micros = executing.latencies();
        Map<Figure, Double> figures = new LinkedHashMap<>();
        figures.put(P50, micros.p50() / 1e3);
        figures.put(P95, micros.p95() / 1e3);
        figures.put(P99, micros.p99() / 1e3);
        figures.put(MAX, micros.max() / 1e3);
        figures.put(PACE, jobs.count() / seconds);
        return figures;
    }

    private double enqueue(Trial trial, Node enqueueing, Node executing, JobRange jobs) throws Exception {
        Backlog backlog = new Backlog(jobs, List.of(executing));
        double seconds = enqueueing.enqueuePaced(jobs, perSecond);
        backlog.awaitEnd(trial);
        return seconds;
    }
}
