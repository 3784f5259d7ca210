package dev.distributedscheduler.store;

import dev.distributedscheduler.Runs.OrphanedRuns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Runs whose job no live node knows: set aside as BLOCKED, so that they can be seen and nobody has to pass over them in
 * line, and brought back as soon as a node knows their job.
 *
 * <p>Only the leader does either, in its fenced transactions. A run that comes back passes its concurrency limits again:
 * it gave its slots up when it was set aside.
 */
public final class Orphans {

    private final Database database;

    public Orphans(Database database) {
        this.database = database;
    }

    /**
     * Does nothing while there are no workers at all: then everything waits, and nobody has to pass over anything.
     *
     * @return how many runs were set aside, by job
     */
    public Map<String, Integer> setAside(int most) {
        Map<String, Integer> runsByJob = new HashMap<>();
        database.sql("""
                        with worker as materialized (
                            select jobs from scheduler.node where worker and lease_until > now()
                        ), unknown as materialized (
                            select j.name from scheduler.job j
                            where exists (select from worker)
                              and not exists (select from worker w where j.name = any(w.jobs))
                        ), aside as (
                            update scheduler.run
                            set state = 'BLOCKED', blocked_by = 'ORPHAN'
                            where exists (select from unknown)
                              and id in (select r.id from scheduler.run r
                                         where r.state = 'READY' and r.job in (select name from unknown)
                                         limit :most
                                         for update skip locked)
                            returning job
                        )
                        select job, count(*) as runs from aside group by job
                        """).param("most", most).query((RowCallbackHandler)
                row -> runsByJob.put(row.getString("job"), row.getInt("runs")));
        return runsByJob;
    }

    /** Puts runs back in line whose job a live node knows now; returns how many. */
    public int bringBack(int most) {
        return database
                .sql("""
                        with recursive orphaned (job) as (
                            (select job from scheduler.run where blocked_by = 'ORPHAN' order by job limit 1)
                            union all
                            select n.job
                            from orphaned o, lateral (
                                select r.job from scheduler.run r
                                where r.blocked_by = 'ORPHAN' and r.job > o.job
                                order by r.job limit 1) n
                        ), known as (
                            select o.job from orphaned o
                            where exists (select from scheduler.node n
                                          where n.worker and n.lease_until > now() and o.job = any(n.jobs))
                        ), back as (
                            update scheduler.run r
                            set state = case when concurrency_key is not null or job_limited then 'BLOCKED' else 'READY' end,
                                blocked_by = case when concurrency_key is not null then 'KEY'
                                                  when job_limited then 'JOB' end
                            where id in (select i.id from scheduler.run i
                                         where i.blocked_by = 'ORPHAN' and i.job in (select job from known)
                                         order by i.place, i.id
                                         limit :most
                                         for update skip locked)
                            returning r.queue
                        )
                        select count(*) as runs, pg_notify(:channel, :ready || queue)
                        from back
                        group by queue
                        """)
                .param("most", most)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getInt("runs"))
                .list()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    public List<OrphanedRuns> list() {
        return database.sql("""
                        select job, count(*) as runs from scheduler.run where blocked_by = 'ORPHAN' group by job order by job
                        """)
                .query((row, number) -> new OrphanedRuns(row.getString("job"), row.getLong("runs")))
                .list();
    }
}
