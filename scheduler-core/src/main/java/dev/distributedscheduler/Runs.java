package dev.distributedscheduler;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs as the database knows them: to look at. */
public interface Runs {

    int DEFAULT_PAGE = 50;
    int LARGEST_PAGE = 500;

    /** How many attempts {@link #statistics} counts at most. */
    int LARGEST_SAMPLE = 2_000;

    /** A run by its id, live or ended; nothing when there is none, or its history is beyond the retention. */
    Optional<RunDetails> find(long runId);

    /** The newest live runs that match. */
    default Page<RunSummary> live(RunFilter filter) {
        return live(filter, null, DEFAULT_PAGE);
    }

    /**
     * A page of the live runs that match, newest first.
     *
     * @param after {@link Page#next()} of the page before; null for the first page
     * @param most how many at most; never more than {@value #LARGEST_PAGE}
     */
    Page<RunSummary> live(RunFilter filter, @Nullable String after, int most);

    /** The latest attempts that match. */
    default Page<PastAttempt> past(AttemptFilter filter) {
        return past(filter, null, DEFAULT_PAGE);
    }

    /**
     * A page of the attempts in the history that match, latest first.
     *
     * @param after {@link Page#next()} of the page before; null for the first page
     * @param most how many at most; never more than {@value #LARGEST_PAGE}
     */
    Page<PastAttempt> past(AttemptFilter filter, @Nullable String after, int most);

    /** How a job's attempts went that ended from one time to before another; of the latest {@value #LARGEST_SAMPLE}. */
    JobStatistics statistics(String job, Instant from, Instant until);

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
