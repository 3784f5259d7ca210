package dev.distributedscheduler.engine;

import dev.distributedscheduler.Cluster;
import dev.distributedscheduler.ClusterOverview;
import dev.distributedscheduler.JobDetails;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.JobSearch;
import dev.distributedscheduler.store.Overview;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user may see of the cluster. */
public final class ClusterLookup implements Cluster {

    private final Overview overview;
    private final JobSearch jobs;

    public ClusterLookup(Database database) {
        this.overview = new Overview(database);
        this.jobs = new JobSearch(database);
    }

    @Override
    public ClusterOverview overview() {
        return overview.look();
    }

    @Override
    public List<JobDetails> jobs(@Nullable String prefix) {
        return jobs.list(prefix, LARGEST_LIST);
    }

    @Override
    public Optional<JobDetails> job(String name) {
        return jobs.find(name);
    }
}
