package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.RunFilter;
import dev.distributedscheduler.RunSummary;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.LiveRunSearch.Found;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class LiveRunSearchIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private LiveRunSearch search;

    LiveRunSearchIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
        search = new LiveRunSearch(tables.database());
    }

    private List<Long> ids(RunFilter filter) {
        return search.find(filter, Long.MAX_VALUE, 50).runs().stream()
                .map(RunSummary::runId)
                .toList();
    }

    private long blocked(String by) {
        long id = tables.ready("job");
        tables.execute("update scheduler.run set state = 'BLOCKED', blocked_by = '%s' where id = %d".formatted(by, id));
        return id;
    }

    @Test
    void eachStateIsFoundNewestFirst() {
        long running = tables.running("job").id();
        long ready = tables.ready("job");
        long delayed = tables.delayed("job", TestTables.HOUR);
        long key = blocked("KEY");
        long job = blocked("JOB");
        long orphan = blocked("ORPHAN");

        assertThat(ids(RunFilter.ALL)).containsExactly(orphan, job, key, delayed, ready, running);
        assertThat(ids(RunFilter.ALL.state("RUNNING"))).containsExactly(running);
        assertThat(ids(RunFilter.ALL.state("READY"))).containsExactly(ready);
        assertThat(ids(RunFilter.ALL.state("SCHEDULED"))).containsExactly(delayed);
        assertThat(ids(RunFilter.ALL.state("BLOCKED"))).containsExactly(orphan, job, key);
        RunSummary summary = search.find(RunFilter.ALL.state("RUNNING"), Long.MAX_VALUE, 1)
                .runs()
                .get(0);
        assertThat(summary.node()).isEqualTo("node");
        assertThat(summary.attempt()).isEqualTo(1);
        assertThat(search.find(RunFilter.ALL.state("BLOCKED"), Long.MAX_VALUE, 1)
                        .runs())
                .extracting(RunSummary::waitsFor)
                .containsExactly("ORPHAN");
    }

    @Test
    void pagesHaveEachRunOnce() {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.add(0, i % 2 == 0 ? blocked("KEY") : blocked("JOB"));
        }

        List<Long> seen = new ArrayList<>();
        Long before = Long.MAX_VALUE;
        while (before != null) {
            Found found = search.find(RunFilter.ALL.state("BLOCKED"), before, 3);
            found.runs().forEach(run -> seen.add(run.runId()));
            before = found.next();
        }

        assertThat(seen).isEqualTo(all);
    }

    @Test
    void whatTheWindowDoesNotReachIsFoundByGoingOn() {
        long rare = tables.ready("rare");
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                select 'often', 'default', 'READY', 0, now(), now(), 3 from generate_series(1, %d)
                """.formatted(LiveRunSearch.WINDOW + 1));
        RunFilter filter = RunFilter.ALL.job("rare").queue("default");

        Found first = search.find(filter, Long.MAX_VALUE, 50);
        Found second = search.find(filter, first.next(), 50);

        assertThat(first.runs()).isEmpty();
        assertThat(second.runs()).extracting(RunSummary::runId).containsExactly(rare);
        assertThat(second.next()).isNull();
    }
}
