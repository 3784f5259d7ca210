package dev.distributedscheduler;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cluster as the database knows it: to look at. */
public interface Cluster {

    int LARGEST_LIST = 1_000;

    /** Who leads, who is alive, and how much there is to do; with a bounded effort, whatever the state of the queue. */
    ClusterOverview overview();

    /**
     * The jobs that were ever declared, by name; at most {@value #LARGEST_LIST}.
     *
     * @param prefix what their names begin with; null for all
     */
    List<JobDetails> jobs(@Nullable String prefix);

    Optional<JobDetails> job(String name);
}
