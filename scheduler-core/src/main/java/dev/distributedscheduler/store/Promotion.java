package dev.distributedscheduler.store;

/** The way of delayed runs into the line, from SCHEDULED to READY, or to BLOCKED where a limit stands before it. */
public final class Promotion {

    private final Database database;

    public Promotion(Database database) {
        this.database = database;
    }

    /** Puts delayed runs whose time has come in line, and tells the workers of their queues. */
    public int promoteDue(int most) {
        return database
                .sql("""
                        with due as (
                            select id from scheduler.run
                            where state = 'SCHEDULED' and run_at <= now()
                            order by run_at
                            limit :most
                            for update skip locked
                        ), promoted as (
                            update scheduler.run r
                            set state = case when concurrency_key is not null or job_limited then 'BLOCKED' else 'READY' end,
                                blocked_by = case when concurrency_key is not null then 'KEY'
                                                  when job_limited then 'JOB' end
                            from due
                            where r.id = due.id
                            returning r.queue
                        )
                        select count(*) as runs, pg_notify(:channel, :many || count(*) || ':' || queue)
                        from promoted
                        group by queue
                        """)
                .param("most", most)
                .param("channel", database.channel())
                .param("many", WakeUp.MANY.payload())
                .query((row, number) -> row.getInt("runs"))
                .list()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }
}
