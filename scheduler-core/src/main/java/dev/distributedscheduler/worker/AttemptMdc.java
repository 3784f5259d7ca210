package dev.distributedscheduler.worker;

import dev.distributedscheduler.run.ClaimedRun;
import org.slf4j.MDC;

/** Names the run in everything that is logged on its thread, under keys that do not change. */
final class AttemptMdc implements AutoCloseable {

    private static final String RUN = "scheduler.run";
    private static final String JOB = "scheduler.job";
    private static final String ATTEMPT = "scheduler.attempt";

    AttemptMdc(ClaimedRun run) {
        MDC.put(RUN, Long.toString(run.id()));
        MDC.put(JOB, run.job());
        MDC.put(ATTEMPT, Integer.toString(run.attempt()));
    }

    @Override
    public void close() {
        MDC.remove(RUN);
        MDC.remove(JOB);
        MDC.remove(ATTEMPT);
    }
}
