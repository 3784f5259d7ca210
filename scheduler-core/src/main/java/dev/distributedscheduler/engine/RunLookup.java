package dev.distributedscheduler.engine;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.FreshnessSearch;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunSearch;
import dev.distributedscheduler.store.StuckSearch;
import dev.distributedscheduler.worker.NodeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a user may see of the runs. */
public final class RunLookup implements Runs {

    private final RunSearch search;
    private final Orphans orphans;
    private final StuckSearch stuck;
    private final FreshnessSearch freshness;

    public RunLookup(Database database) {
        this(database, NodeSettings.DEFAULT_LEASE);
    }

    /** @param nodeLease of the nodes of this cluster */
    public RunLookup(Database database, Duration nodeLease) {
        this.search = new RunSearch(database);
        this.orphans = new Orphans(database);
        this.stuck = new StuckSearch(database, nodeLease);
        this.freshness = new FreshnessSearch(database);
    }

    @Override
    public Optional<RunDetails> find(long runId) {
        return search.find(runId);
    }

    @Override
    public List<OrphanedRuns> orphaned() {
        return orphans.list();
    }

    @Override
    public List<StuckRun> stuck() {
        return stuck.list();
    }

    @Override
    public List<JobFreshness> freshness() {
        return freshness.list();
    }
}
