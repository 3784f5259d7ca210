package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The way out of the table {@code run} before the end.
 *
 * <p>A waiting run is removed and recorded as CANCELLED. A running one is marked and its node told: it ends as CANCELLED
 * when its attempt ends in any way but success, on whatever node. Who of two wins, cancel or claim, decides the lock on the
 * row: a cancel that comes second finds the run RUNNING and marks it.
 */
public final class Cancelling {

    private static final int TRIES = 5;

    private final Database database;

    public Cancelling(Database database) {
        this.database = database;
    }

    /**
     * Joins the caller's transaction; repeating it is harmless.
     *
     * @return the runs that were live
     */
    public Set<Long> cancel(Collection<Long> runs) {
        Set<Long> cancelled = new HashSet<>();
        Set<Long> open = new HashSet<>(runs);
        for (int tries = 0; tries < TRIES && !open.isEmpty(); tries++) {
            cancelled.addAll(tryCancel(open));
            open.removeAll(cancelled);
            open.retainAll(live(open)); // a run that was claimed meanwhile is found RUNNING by the next try
        }
        return cancelled;
    }

    private List<Long> live(Collection<Long> runs) {
        return database.sql("select id from scheduler.run where id = any(:ids)")
                .param("ids", longs(runs, Long::longValue))
                .query(Long.class)
                .list();
    }

    private List<Long> tryCancel(Collection<Long> runs) {
        return database.sql("""
                        with waiting as (
                            delete from scheduler.run
                            where id in (select id from scheduler.run
                                         where id = any(:ids) and state <> 'RUNNING'
                                         order by id
                                         for update)
                            returning *
                        ), recorded as (
                            insert into scheduler.execution
                                (run_id, job, queue, schedule_id, tick_at, attempt, outcome, run_at)
                            select id, job, queue, schedule_id, tick_at, attempt, 'CANCELLED', run_at
                            from waiting
                        ), released as (
                            delete from scheduler.idempotency i
                            using waiting w
                            where i.job = w.job and i.key = w.idempotency_key and i.run_id = w.id
                        ), repeated as (
                            update scheduler.schedule s
                            set next_tick_at = greatest(now() + s.delay, s.last_tick_at + interval '1 microsecond')
                            from (select i.id from scheduler.schedule i
                                  where i.id in (select schedule_id from waiting) and i.delay is not null
                                    and i.next_tick_at is null
                                    and not exists (select from scheduler.run r where r.schedule_id = i.id
                                                      and r.id not in (select id from waiting))
                                  order by i.id
                                  for no key update) i
                            where s.id = i.id
                        ), asked as (
                            update scheduler.run
                            set cancel_requested = true
                            where id = any(:ids) and state = 'RUNNING'
                            returning id, token
                        ), told as (
                            select pg_notify(:channel, :cancel || token) from asked
                            union all
                            select pg_notify(:channel, :due) from waiting
                        )
                        select id, (select count(*) from told)
                        from (select id from waiting union all select id from asked) c
                        """)
                .param("ids", longs(runs, Long::longValue))
                .param("channel", database.channel())
                .param("cancel", WakeUp.CANCEL.payload())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> row.getLong("id"))
                .list();
    }
}
