package dev.distributedscheduler.engine;

import dev.distributedscheduler.AttemptFilter;
import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.JobStatistics;
import dev.distributedscheduler.Page;
import dev.distributedscheduler.PastAttempt;
import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.RunFilter;
import dev.distributedscheduler.RunSummary;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.FreshnessSearch;
import dev.distributedscheduler.store.HistorySearch;
import dev.distributedscheduler.store.HistoryStatistics;
import dev.distributedscheduler.store.LiveRunSearch;
import dev.distributedscheduler.store.Orphans;
import dev.distributedscheduler.store.RunSearch;
import dev.distributedscheduler.store.StuckSearch;
import dev.distributedscheduler.worker.NodeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user may see of the runs. */
public final class RunLookup implements Runs {

    private final RunSearch search;
    private final LiveRunSearch live;
    private final HistorySearch history;
    private final HistoryStatistics statistics;
    private final Orphans orphans;
    private final StuckSearch stuck;
    private final FreshnessSearch freshness;

    public RunLookup(Database database) {
        this(database, NodeSettings.DEFAULT_LEASE);
    }

    /** @param nodeLease of the nodes of this cluster */
    public RunLookup(Database database, Duration nodeLease) {
        this.search = new RunSearch(database);
        this.live = new LiveRunSearch(database);
        this.history = new HistorySearch(database);
        this.statistics = new HistoryStatistics(database);
        this.orphans = new Orphans(database);
        this.stuck = new StuckSearch(database, nodeLease);
        this.freshness = new FreshnessSearch(database);
    }

    @Override
    public Optional<RunDetails> find(long runId) {
        return search.find(runId);
    }

    @Override
    public Page<RunSummary> live(RunFilter filter, @Nullable String after, int most) {
        LiveRunSearch.Found found = live.find(filter, Cursors.run(after), Cursors.size(most, LARGEST_PAGE));
        return new Page<>(found.runs(), found.next() == null ? null : Long.toString(found.next()));
    }

    @Override
    public Page<PastAttempt> past(AttemptFilter filter, @Nullable String after, int most) {
        HistorySearch.Found found = history.find(filter, Cursors.attempt(after), Cursors.size(most, LARGEST_PAGE));
        return new Page<>(found.attempts(), Cursors.text(found.next()));
    }

    @Override
    public JobStatistics statistics(String job, Instant from, Instant until) {
        return statistics.of(job, from, until, LARGEST_SAMPLE);
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
