package dev.distributedscheduler.store;

import java.util.List;

/**
 * The way past concurrency limits, from BLOCKED to READY: first the limit of the run's key, then that of its job.
 *
 * <p>Only the leader admits, in its fenced transactions, so two admissions never overlap. A run has its key's slot from the
 * moment it passes the first gate, and its job's slot while it is READY or RUNNING; both are counted, never stored, and so
 * cannot leak. What happens beside an admission can only free slots: a run that ends, is cancelled, or waits for its next
 * attempt gives them back, and one that is rescued or given back keeps them. So a count that is a moment old is never too
 * low, and a limit is never exceeded, also while leaders change.
 *
 * <p>Waiting runs are not looked at: each round finds the keys and jobs that have any by skipping through an index, and
 * takes from each as many as there are slots, in the order of the line. Who is admitted is found once ({@code materialized}):
 * without it, and without statistics, the planner asks again for every waiting run.
 */
public final class Admission {

    private final Database database;

    public Admission(Database database) {
        this.database = database;
    }

    /** Part of the leader's transaction; returns how many runs have passed a gate. */
    public int admit() {
        return passKeys().size() + passJobs().size();
    }

    private List<String> passKeys() {
        return database.sql("""
                        with recursive waiting (job, concurrency_key) as (
                            (select job, concurrency_key from scheduler.run
                             where blocked_by = 'KEY' order by job, concurrency_key limit 1)
                            union all
                            select n.job, n.concurrency_key
                            from waiting w, lateral (
                                select r.job, r.concurrency_key from scheduler.run r
                                where r.blocked_by = 'KEY'
                                  and (r.job, r.concurrency_key) > (w.job, w.concurrency_key)
                                order by r.job, r.concurrency_key limit 1) n
                        ), admitted as materialized (
                            select f.id
                            from waiting w, lateral (
                                select count(*) as slots from scheduler.run r
                                where r.job = w.job and r.concurrency_key = w.concurrency_key
                                  and r.concurrency_key is not null
                                  and (r.state in ('READY', 'RUNNING') or r.blocked_by = 'JOB')) used, lateral (
                                select r.id, r.key_limit, row_number() over (order by r.place, r.id) as number
                                from (select i.id, i.key_limit, i.place from scheduler.run i
                                      where i.blocked_by = 'KEY' and i.job = w.job and i.concurrency_key = w.concurrency_key
                                      order by i.place, i.id limit 1000) r) f
                            where used.slots + f.number <= f.key_limit
                        ), passed as (
                            update scheduler.run r
                            set state = case when job_limited then 'BLOCKED' else 'READY' end,
                                blocked_by = case when job_limited then 'JOB' end
                            from admitted a
                            where r.id = a.id and r.blocked_by = 'KEY'
                            returning r.queue, r.state
                        )
                        select queue, case when state = 'READY' then pg_notify(:channel, :ready || queue) end
                        from passed
                        """)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getString("queue"))
                .list();
    }

    private List<String> passJobs() {
        return database.sql("""
                        with recursive waiting (job) as (
                            (select job from scheduler.run where blocked_by = 'JOB' order by job limit 1)
                            union all
                            select n.job
                            from waiting w, lateral (
                                select r.job from scheduler.run r
                                where r.blocked_by = 'JOB' and r.job > w.job
                                order by r.job limit 1) n
                        ), admitted as materialized (
                            select f.id
                            from waiting w left join scheduler.job j on j.name = w.job, lateral (
                                select count(*) as slots from scheduler.run r
                                where r.job = w.job and r.job_limited and r.state in ('READY', 'RUNNING')) used, lateral (
                                select r.id, row_number() over (order by r.place, r.id) as number
                                from (select i.id, i.place from scheduler.run i
                                      where i.blocked_by = 'JOB' and i.job = w.job
                                      order by i.place, i.id limit 1000) r) f
                            where j.max_concurrent is null or used.slots + f.number <= j.max_concurrent
                        ), passed as (
                            update scheduler.run r
                            set state = 'READY', blocked_by = null
                            from admitted a
                            where r.id = a.id and r.blocked_by = 'JOB'
                            returning r.queue
                        )
                        select queue, pg_notify(:channel, :ready || queue)
                        from passed
                        """)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getString("queue"))
                .list();
    }
}
