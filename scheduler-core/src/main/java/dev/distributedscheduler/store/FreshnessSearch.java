package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.JobFreshness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Jobs that promise to succeed every so often, and when they last did, from the history.
 *
 * <p>It remembers what it has read: a job that has been failing a hundred times a second for hours is not read from the
 * beginning every time, only what is new. Jobs that neither a live node nor the newest deployment knows are left out.
 */
public final class FreshnessSearch {

    /** Results may be recorded so much later than they are dated. */
    private static final Duration LATE_RESULTS = Duration.ofMinutes(5);

    private final Database database;
    private final Map<String, Read> memory = new HashMap<>();

    /** The last success of a job that was found, and up to when its history was read. */
    private record Read(@Nullable Instant success, Instant until) {}

    public FreshnessSearch(Database database) {
        this.database = database;
    }

    /** By name. The first time it looks back ten times as far as each job promises. */
    public synchronized List<JobFreshness> list() {
        List<Entry<String, Read>> known = List.copyOf(memory.entrySet());
        List<JobFreshness> list = new ArrayList<>();
        Map<String, Read> now = new HashMap<>();
        database.sql("""
                        select j.name, j.must_succeed_every, now() as now, e.finished_at,
                               extract(epoch from j.must_succeed_every) as promise,
                               extract(epoch from now() - j.known_since) as known_for,
                               extract(epoch from now() - coalesce(e.finished_at, k.success)) as since_success,
                               coalesce(e.finished_at, k.success) as success
                        from scheduler.job j
                                 left join unnest(cast(:names as text[]), cast(:successes as timestamptz[]),
                                                  cast(:untils as timestamptz[])) as k (name, success, until)
                                           on k.name = j.name
                                 left join lateral (
                                     select e.finished_at from scheduler.execution e
                                     where e.job = j.name and e.outcome = 'COMPLETED'
                                       and e.finished_at > greatest(k.success, k.until, now() - 10 * j.must_succeed_every)
                                     order by e.finished_at desc
                                     limit 1) e on true
                        where j.must_succeed_every is not null
                          and (j.declared_by = (select max(id) from scheduler.deployment)
                               or exists (select from scheduler.node n
                                          where n.lease_until > now() and j.name = any(n.jobs)))
                        order by j.name
                        """)
                .param("names", texts(known, Entry::getKey))
                .param("successes", texts(known, entry -> entry.getValue().success()))
                .param("untils", texts(known, entry -> entry.getValue().until()))
                .query((RowCallbackHandler) row -> {
                    String job = row.getString("name");
                    Instant success = Columns.instantOrNull(row, "success");
                    double since = row.getDouble(success == null ? "known_for" : "since_success");
                    list.add(new JobFreshness(job, seconds(row.getDouble("promise")), seconds(since), success != null));
                    now.put(job, new Read(success, Columns.instant(row, "now").minus(LATE_RESULTS)));
                });
        memory.clear();
        memory.putAll(now);
        return list;
    }

    private static Duration seconds(double value) {
        return Duration.ofMillis(Math.round(value * 1_000));
    }
}
