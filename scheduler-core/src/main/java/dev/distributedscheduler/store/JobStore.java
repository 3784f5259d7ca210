package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.job.JobDefinition;
import java.util.List;

/** The table {@code job}: which jobs there are, for those who enqueue runs of them. */
public final class JobStore {

    private final Database database;

    public JobStore(Database database) {
        this.database = database;
    }

    /** Makes jobs known as this node sees them, except those that a newer deployment with live nodes has declared. */
    public void declare(List<JobDefinition> jobs, long deployment) {
        database.sql("""
                        insert into scheduler.job as j (name, queue, priority, max_attempts, max_concurrent, timeout,
                                                        must_succeed_every, declared_by)
                        select d.name, d.queue, d.priority, d.max_attempts, d.max_concurrent,
                               d.timeout * interval '1 microsecond', d.must_succeed_every * interval '1 microsecond',
                               :deployment
                        from unnest(cast(:names as text[]), cast(:queues as text[]), :priorities, :attempts,
                                    cast(:limits as bigint[]), cast(:timeouts as bigint[]), cast(:promises as bigint[]))
                                 as d (name, queue, priority, max_attempts, max_concurrent, timeout, must_succeed_every)
                        order by d.name
                        on conflict (name) do update
                        set queue = excluded.queue,
                            priority = excluded.priority,
                            max_attempts = excluded.max_attempts,
                            max_concurrent = excluded.max_concurrent,
                            timeout = excluded.timeout,
                            must_succeed_every = excluded.must_succeed_every,
                            declared_by = excluded.declared_by,
                            updated_at = now()
                        where (j.declared_by is null or j.declared_by <= :deployment
                               or not exists (select from scheduler.node n
                                              where n.deployment = j.declared_by and n.lease_until > now()))
                          and (j.queue, j.priority, j.max_attempts, j.max_concurrent, j.timeout, j.must_succeed_every,
                               j.declared_by)
                              is distinct from
                              (excluded.queue, excluded.priority, excluded.max_attempts, excluded.max_concurrent,
                               excluded.timeout, excluded.must_succeed_every, excluded.declared_by)
                        """)
                .param("deployment", deployment)
                .param("names", texts(jobs, JobDefinition::name))
                .param("queues", texts(jobs, job -> job.policy().queue()))
                .param("priorities", longs(jobs, job -> job.policy().priority().headStartMinutes()))
                .param("attempts", longs(jobs, job -> job.policy().maxAttempts()))
                .param("limits", texts(jobs, job -> job.policy().maxConcurrent()))
                .param("timeouts", texts(jobs, job -> micros(job.policy().timeout())))
                .param("promises", texts(jobs, job -> micros(job.policy().mustSucceedEvery())))
                .update();
    }

    public List<String> names() {
        return database.sql("select name from scheduler.job order by name")
                .query(String.class)
                .list();
    }
}
