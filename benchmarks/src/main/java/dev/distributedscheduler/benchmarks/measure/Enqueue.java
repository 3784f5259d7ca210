package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.Map;

/** How fast an instance that does not execute enqueues jobs. */
final class Enqueue implements Measure {

    private static final Figure RATE = Figure.higher("enqueue", "jobs/s");
    private static final int MOST_SINGLY = 20_000;
    private static final int MOST_IN_BULK = 300_000;

    /** One of the ways in which a node enqueues; says how many seconds it took. */
    @FunctionalInterface
    private interface Way {

        double enqueue(Node node, JobRange jobs);
    }

    private final String name;
    private final String description;
    private final Ability ability;
    private final Way way;
    private final int most;

    private Enqueue(String name, String description, Ability ability, Way way, int most) {
        this.name = name;
        this.description = description;
        this.ability = ability;
        this.way = way;
        this.most = most;
    }

    static Enqueue singly() {
        return new Enqueue(
                "enqueue",
                "8 threads enqueue one job per call, each committed; nobody executes",
                Ability.ENQUEUE,
                Node::enqueueSingly,
                MOST_SINGLY);
    }

    static Enqueue inBulk() {
        return new Enqueue(
                "bulk",
                "one thread enqueues 10,000 jobs per call, in the fastest way offered; nobody executes",
                Ability.ENQUEUE_BULK,
                Node::enqueueBulk,
                MOST_IN_BULK);
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
        return contestant.abilities().contains(ability);
    }

    @Override
    public Map<Figure, Double> run(Trial trial) {
        int size = trial.sizes().scaled(Math.min(most, trial.contestant().backlog() * 3));
        Node node = trial.open(1).get(0);
        JobRange warmUp = new JobRange(0, size / 3 + 1);
        way.enqueue(node, warmUp);
        trial.database().settle();
        double seconds = way.enqueue(node, warmUp.next(size));
        checkAllThere(trial, warmUp.count() + size);
        return Map.of(RATE, size / seconds);
    }

    private static void checkAllThere(Trial trial, int expected) {
        long there = trial.database()
                .number("select count(*) from " + trial.contestant().hotTable());
        if (there != expected) {
            throw new FailedCheck("%d jobs were enqueued, but %d are there".formatted(expected, there));
        }
    }
}
