package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.database.StatementCount;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What instances with nothing to do ask of the database. */
final class Idle implements Measure {

    private static final int INSTANCES = 3;
    private static final int SETTLE_SECONDS = 10;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String description() {
        return "%d instances as they come, without jobs; statements of all, divided by their number"
                .formatted(INSTANCES);
    }

    @Override
    public boolean suits(Contestant contestant) {
        return contestant.abilities().contains(Ability.NOTICE);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) throws InterruptedException {
        StatementCount count = StatementCount.of(trial.database());
        List<Node> nodes = trial.launch(INSTANCES);
        nodes.forEach(node -> node.open(Tuning.DEFAULTS, 0));
        nodes.forEach(Node::start);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        int seconds = trial.sizes().seconds() * 3;
        long before = count.now();
        TimeUnit.SECONDS.sleep(seconds);
        long counted = count.now() - before;
        if (counted == 0) {
            throw new FailedCheck("nothing was counted: no instance is alive without asking anything");
        }
        Figure figure = Figure.lower("idle " + count.what(), "per second and instance");
        return Map.of(figure, (double) counted / seconds / INSTANCES);
    }
}
