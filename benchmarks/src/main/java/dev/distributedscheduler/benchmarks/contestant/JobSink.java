package dev.distributedscheduler.benchmarks.contestant;

import java.time.Instant;

/** The one handler of all jobs: it takes note and does nothing else. */
public interface JobSink {

    /** A job was executed. */
    void handled(String job);

    /** A schedule's tick was executed. */
    void ticked(String schedule, Instant due);
}
