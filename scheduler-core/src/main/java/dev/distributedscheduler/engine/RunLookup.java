package dev.distributedscheduler.engine;

import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunSearch;
import java.util.List;
import java.util.Optional;

/** What a user may see of the runs. */
public final class RunLookup implements Runs {

    private final RunSearch search;
    private final Orphans orphans;

    public RunLookup(Database database) {
        this.search = new RunSearch(database);
        this.orphans = new Orphans(database);
    }

    @Override
    public Optional<RunDetails> find(long runId) {
        return search.find(runId);
    }

    @Override
    public List<OrphanedRuns> orphaned() {
        return orphans.list();
    }
}
