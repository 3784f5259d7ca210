package dev.distributedscheduler.store;

/** The way into the line before the time, past no limit. */
public final class Hastening {

    private final Database database;

    public Hastening(Database database) {
        this.database = database;
    }

    /** Puts a run in line that waits for its time; false when there is none that does. */
    public boolean hasten(long runId) {
        return database.sql("""
                        with hastened as (
                            update scheduler.run
                            set state = case when concurrency_key is not null or job_limited then 'BLOCKED' else 'READY' end,
                                blocked_by = case when concurrency_key is not null then 'KEY'
                                                  when job_limited then 'JOB' end,
                                run_at = now(),
                                place = now() - priority * interval '1 minute'
                            where id = :id and state = 'SCHEDULED'
                            returning queue, state
                        )
                        select pg_notify(:channel, case when state = 'READY' then :ready || queue else :due end)
                        from hastened
                        """)
                .param("id", runId)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> true)
                .optional()
                .orElse(false);
    }
}
