package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.database.BenchmarkDatabase;
import dev.distributedscheduler.benchmarks.node.Job;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.benchmarks.node.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Jobs that some nodes are expected to execute, each once, and to record. */
final class Backlog {

    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_MILLIS = 10;

    private final JobRange jobs;
    private final List<Node> nodes;

    Backlog(JobRange jobs, List<Node> nodes) {
        this.jobs = jobs;
        this.nodes = nodes;
        nodes.forEach(node -> node.expect(jobs));
    }

    /**
     * Waits until all jobs are executed and the database holds none of them unfinished.
     *
     * @return microseconds since 1970 at which that was so
     */
    long awaitEnd(Trial trial) throws SQLException, InterruptedException {
        awaitExecuted(jobs.count());
        long recorded = awaitRecorded(trial.database(), trial.contestant().hasUnfinishedJobs());
        return Math.max(recorded, check().last());
    }

    /** Waits until so many of the jobs are executed. */
    void awaitExecuted(int count) throws InterruptedException {
        int before = -1;
        long changed = System.nanoTime();
        while (before < count) {
            int executed = nodes.stream().mapToInt(Node::executed).sum();
            if (executed > before) {
                before = executed;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > LONGEST_STANDSTILL.toNanos()) {
                throw new FailedCheck("only %d of %d jobs were executed".formatted(executed, count));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private static long awaitRecorded(BenchmarkDatabase database, String hasUnfinished)
            throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        try (Connection connection = database.connect()) {
            while (true) {
                // What a query does not find was finished when the query began, however long it took to look.
                long asked = Job.microsNow();
                if (BenchmarkDatabase.text(connection, hasUnfinished).equals("f")) {
                    return asked;
                }
                if (System.nanoTime() - begin > LONGEST_STANDSTILL.toNanos()) {
                    throw new FailedCheck("all jobs were executed, but some are not recorded as finished");
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
        }
    }

    /** All executed, each once. */
    Tally check() {
        Tally tally = nodes.stream().map(Node::tally).reduce(Tally::plus).orElseThrow();
        int lost = jobs.count() - tally.executed().cardinality();
        if (lost > 0 || tally.superfluous() > 0) {
            throw new FailedCheck("of %d jobs %d were lost, and there were %d superfluous executions"
                    .formatted(jobs.count(), lost, tally.superfluous()));
        }
        return tally;
    }
}
