package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.run.ClaimedRun;
import io.micrometer.common.KeyValues;

/**
 * {@code scheduler.run}, with job and queue as low-cardinality keys, and with what identifies the attempt as
 * high-cardinality ones, which only traces have.
 */
public class DefaultRunObservationConvention implements RunObservationConvention {

    private final TagNames jobs;
    private final TagNames queues;

    /** @param maxNames how many jobs, and how many queues, are named; the rest is "other" */
    public DefaultRunObservationConvention(int maxNames) {
        this.jobs = new TagNames(maxNames);
        this.queues = new TagNames(maxNames);
    }

    @Override
    public String getName() {
        return "scheduler.run";
    }

    @Override
    public String getContextualName(RunObservationContext context) {
        return "run " + context.run().job();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(RunObservationContext context) {
        ClaimedRun run = context.run();
        return KeyValues.of("job.name", jobs.of(run.job()), "queue", queues.of(run.queue()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
        ClaimedRun run = context.run();
        return KeyValues.of(
                "scheduler.run.id",
                Long.toString(run.id()),
                "scheduler.run.attempt",
                Integer.toString(run.attempt()),
                "scheduler.node.id",
                run.nodeId().toString());
    }
}
