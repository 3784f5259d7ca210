package dev.distributedscheduler;

import java.util.List;
import java.util.Optional;

/** The runs as the database knows them: to look at. */
public interface Runs {

    /** A run by its id, live or ended; nothing when there is none, or its history is beyond the retention. */
    Optional<RunDetails> find(long runId);

    /** Jobs whose runs wait because no live node knows them, after a deploy that dropped or renamed them for example. */
    List<OrphanedRuns> orphaned();

    /** Runs that have been RUNNING for too long, longest first, each with its reason; at most a thousand. */
    List<StuckRun> stuck();

    /** The jobs that promise to succeed every so often, and when they last did; evaluated from the history, leader or not. */
    List<JobFreshness> freshness();

    /**
     * Runs of one job that no live node can execute. They are never failed or deleted: they go on as soon as a node knows
     * the job again, under its name or as an alias; or they are cancelled.
     */
    record OrphanedRuns(String job, long runs) {}
}
