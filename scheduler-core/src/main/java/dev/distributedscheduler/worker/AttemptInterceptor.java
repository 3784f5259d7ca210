package dev.distributedscheduler.worker;

import dev.distributedscheduler.run.ClaimedRun;

/**
 * Stands around the execution of an attempt, on its thread: around the handler and, for a transactional job, its commit.
 *
 * <p>It calls the attempt exactly once and passes on what that throws. What it throws by itself costs the attempt.
 */
@FunctionalInterface
public interface AttemptInterceptor {

    /** Adds nothing. */
    AttemptInterceptor NONE = (run, attempt) -> attempt.run();

    /** What is to be executed. */
    @FunctionalInterface
    interface Execution {

        void run() throws Exception;
    }

    void around(ClaimedRun run, Execution attempt) throws Exception;
}
