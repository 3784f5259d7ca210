package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The queue's tables as text, to be compared, and the promises that hold whatever happened, as queries that find nothing. */
final class QueueTables {

    private final Database database;

    QueueTables(Database database) {
        this.database = database;
    }

    /** One line per live run, dead letter, key, node and kind of outcome. */
    List<String> rows() {
        return lines("""
                select format('run %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s %s place is run_at less priority: %s',
                              id, job, queue, priority, attempt, max_attempts, idempotency_key,
                              cast(extract(epoch from deduplicate_for) as integer), concurrency_key, key_limit,
                              cast(job_limited as text), payload, state, blocked_by, failures, snoozes,
                              cast(cancel_requested as text), token, node_id,
                              cast(place = run_at - priority * interval '1 minute' as text))
                from scheduler.run
                union all
                select format('letter %s %s %s %s %s %s %s %s %s %s %s %s %s', run_id, job, queue, priority, attempts,
                              max_attempts, idempotency_key, cast(extract(epoch from deduplicate_for) as integer),
                              concurrency_key, key_limit, cast(job_limited as text), payload, outcome)
                from scheduler.dead_letter
                union all
                select format('key %s %s %s %s', job, key, run_id, case when reserved_until = 'infinity' then 'taken'
                                                                        when reserved_until > now() then 'reserved'
                                                                        else 'over' end)
                from scheduler.idempotency
                union all
                select format('node %s %s', id, cast(lease_until > now() as text)) from scheduler.node
                union all
                select format('%s times %s', count(*), outcome) from scheduler.execution group by outcome
                """);
    }

    /** One line per outcome of every attempt. */
    List<String> history() {
        return lines("select format('%s %s %s %s', run_id, attempt, token, outcome) from scheduler.execution");
    }

    /** Rows of which one side has more than the other. */
    static List<String> differences(List<String> stored, List<String> expected) {
        List<String> extra = new ArrayList<>(stored);
        List<String> missing = new ArrayList<>(expected);
        expected.forEach(extra::remove);
        stored.forEach(missing::remove);
        return Stream.concat(
                        extra.stream().map(row -> "Only the tables have: " + row),
                        missing.stream().map(row -> "Only the model has: " + row))
                .toList();
    }

    /** Limits, keys and lives; true at any moment, also while others are at work. */
    void assertLimitsHold() {
        assertThat(lines("""
                select format('%s of %s', count(*), r.job)
                from scheduler.run r join scheduler.job j on j.name = r.job
                where r.job_limited and r.state in ('READY', 'RUNNING')
                group by r.job, j.max_concurrent
                having count(*) > j.max_concurrent
                union all
                select format('%s of %s with key %s', count(*), job, concurrency_key)
                from scheduler.run
                where concurrency_key is not null and (state in ('READY', 'RUNNING') or blocked_by = 'JOB')
                group by job, concurrency_key
                having count(*) > max(key_limit)
                union all
                select format('run %s without its key', r.id)
                from scheduler.run r left join scheduler.idempotency i
                    on i.job = r.job and i.key = r.idempotency_key and i.run_id = r.id and i.reserved_until = 'infinity'
                where r.idempotency_key is not null and i.key is null
                union all
                select format('key %s of run %s, which does not live', i.key, i.run_id)
                from scheduler.idempotency i
                where i.reserved_until = 'infinity' and not exists (select from scheduler.run r where r.id = i.run_id)
                union all
                select format('run %s is live and dead', id)
                from scheduler.run join scheduler.dead_letter on run_id = id
                """)).as("broken promises").isEmpty();
    }

    /** One accepted outcome per attempt apart from LOST and then STALE; attempts and tokens rise together. */
    void assertHistoryIsSound() {
        assertThat(lines("""
                select format('attempt %s of run %s ended as %s', attempt, run_id, string_agg(outcome, ', '))
                from scheduler.execution
                where token is not null
                group by run_id, attempt, token
                having count(*) > 1 and array_agg(outcome order by outcome) <> array['LOST', 'STALE']
                union all
                select format('run %s: attempt %s with token %s after attempt %s', run_id, attempt, token, former)
                from (select run_id, attempt, token, lag(attempt) over (partition by run_id order by token) as former
                      from (select distinct run_id, attempt, token from scheduler.execution where token is not null
                            union all
                            select id, attempt, token from scheduler.run where token is not null) a) b
                where attempt <= former
                """)).as("broken promises").isEmpty();
    }

    /** @param gone runs that ended without a row which says so */
    void assertEachIsLiveOrEndedOnce(Set<Long> accepted, Set<Long> gone) {
        Map<Long, Integer> lives = new HashMap<>();
        database.sql("""
                        select id, count(*) as lives
                        from (select id from scheduler.run
                              union all select run_id from scheduler.dead_letter
                              union all select run_id from scheduler.execution where outcome in ('COMPLETED', 'CANCELLED')) l
                        group by id
                        """).query((RowCallbackHandler) row -> lives.put(row.getLong("id"), row.getInt("lives")));
        gone.forEach(id -> lives.merge(id, 1, Integer::sum));
        assertThat(lives.keySet()).as("live or ended").isEqualTo(new HashSet<>(accepted));
        lives.values().removeIf(times -> times == 1);
        assertThat(lives).as("runs that are there more than once").isEmpty();
    }

    private List<String> lines(String sql) {
        return database.sql(sql).query(String.class).list();
    }
}
