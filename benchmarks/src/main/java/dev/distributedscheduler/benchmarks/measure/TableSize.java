package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much the table in which jobs wait has grown after millions have passed through it, with autovacuum as it comes. */
final class TableSize implements Measure {

    private static final Figure TABLE = Figure.lower("hot table", "MB per million jobs");
    private static final Figure INDEXES = Figure.lower("its indexes", "MB per million jobs");
    private static final int JOBS = 5_000_000;

    /** Jobs that are enqueued while at most as many wait. */
    private static final int PORTION = 100_000;

    private static final double MB = 1e6;

    @Override
    public String name() {
        return "size";
    }

    @Override
    public String description() {
        return "%,d jobs pass through one instance, %,d at a time; then the size of the table and of its indexes"
                .formatted(JOBS, PORTION);
    }

    @Override
    public boolean suits(Contestant contestant) {
        return Drain.isFast(contestant);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) throws Exception {
        List<Node> nodes = trial.open(2);
        Node executing = nodes.get(0);
        Node enqueueing = nodes.get(1);
        int size = trial.sizes().scaled(JOBS);
        Backlog backlog = new Backlog(new JobRange(0, size), List.of(executing));
        executing.start();
        for (int enqueued = 0; enqueued < size; enqueued += PORTION) {
            backlog.awaitExecuted(enqueued - PORTION);
            enqueueing.enqueueBulk(new JobRange(enqueued, Math.min(PORTION, size - enqueued)));
        }
        backlog.awaitEnd(trial);

        String table = trial.contestant().hotTable();
        double millions = size / 1e6;
        Map<Figure, Double> figures = new LinkedHashMap<>();
        figures.put(TABLE, bytes(trial, "pg_table_size", table) / MB / millions);
        figures.put(INDEXES, bytes(trial, "pg_indexes_size", table) / MB / millions);
        return figures;
    }

    private static double bytes(Trial trial, String function, String table) {
        return trial.database().number("select %s('%s')".formatted(function, table));
    }
}
