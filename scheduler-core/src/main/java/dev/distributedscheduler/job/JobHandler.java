package dev.distributedscheduler.job;

import dev.distributedscheduler.JobContext;

/** The code of a job. An exception makes the attempt a failed one. */
@FunctionalInterface
public interface JobHandler {

    void run(JobContext context) throws Exception;
}
