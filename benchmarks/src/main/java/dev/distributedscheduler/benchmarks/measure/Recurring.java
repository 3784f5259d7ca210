package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.node.Job;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.node.Percentiles;
import dev.distributedscheduler.benchmarks.node.Tick;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How late the ticks of many schedules are executed by a small cluster. */
final class Recurring implements Measure {

    private static final Figure P50 = Figure.lower("lateness p50", "ms");
    private static final Figure P99 = Figure.lower("lateness p99", "ms");
    private static final Figure MAX = Figure.lower("lateness max", "ms");
    private static final Figure EXECUTED = Figure.higher("ticks executed", "% of those that fell due");
    private static final int SCHEDULES = 200;
    private static final int INSTANCES = 3;
    private static final int WARM_UP_SECONDS = 5;

    @Override
    public String name() {
        return "recurring";
    }

    @Override
    public String description() {
        return "%d schedules that all tick every second, %d instances; from the due time until the handler is called"
                .formatted(SCHEDULES, INSTANCES);
    }

    @Override
    public boolean suits(Contestant contestant) {
        return contestant.abilities().contains(Ability.SCHEDULE);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) throws InterruptedException {
        List<Node> nodes = trial.launch(INSTANCES);
        nodes.forEach(node -> node.open(Tuning.FOR_LOAD, SCHEDULES));
        nodes.forEach(Node::start);
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        long second = TimeUnit.SECONDS.toMicros(1);
        long begin = Job.microsNow() / second * second + second;
        long end = begin + trial.sizes().seconds() * second;
        TimeUnit.MICROSECONDS.sleep(end - Job.microsNow());

        List<Tick> all = nodes.stream().flatMap(node -> node.ticks().stream()).toList();
        checkDistinct(all);
        // By the time of execution: a contestant that falls behind shows how far.
        List<Tick> ticks = all.stream()
                .filter(tick -> tick.executed() >= begin && tick.executed() < end)
                .toList();
        Percentiles micros = Percentiles.of(
                ticks.stream().mapToDouble(tick -> tick.executed() - tick.due()).toArray());
        Map<Figure, Double> figures = new LinkedHashMap<>();
        figures.put(P50, micros.p50() / 1e3);
        figures.put(P99, micros.p99() / 1e3);
        figures.put(MAX, micros.max() / 1e3);
        figures.put(EXECUTED, 100.0 * ticks.size() / (SCHEDULES * trial.sizes().seconds()));
        return figures;
    }

    private static void checkDistinct(List<Tick> ticks) {
        long distinct = ticks.stream()
                .map(tick -> tick.schedule() + tick.due())
                .distinct()
                .count();
        if (distinct < ticks.size()) {
            throw new FailedCheck("%d ticks were executed twice".formatted(ticks.size() - distinct));
        }
    }
}
