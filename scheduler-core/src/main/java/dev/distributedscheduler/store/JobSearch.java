package dev.distributedscheduler.store;

import dev.distributedscheduler.JobDetails;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks jobs up, and who can execute them. */
public final class JobSearch {

    private final Database database;

    public JobSearch(Database database) {
        this.database = database;
    }

    public List<JobDetails> list(@Nullable String prefix, int most) {
        return database.sql("""
                        with known as materialized (
                            select job, count(*) as nodes
                            from scheduler.node, unnest(jobs) as k (job)
                            where worker and lease_until > now()
                            group by job
                        )
                        select j.name, j.queue, j.priority, j.max_attempts, j.max_concurrent, coalesce(k.nodes, 0) as nodes
                        from scheduler.job j left join known k on k.job = j.name
                        where cast(:prefix as text) is null or starts_with(j.name, :prefix)
                        order by j.name
                        limit :most
                        """)
                .param("prefix", prefix)
                .param("most", most)
                .query((row, number) -> details(row))
                .list();
    }

    public Optional<JobDetails> find(String name) {
        return database.sql("""
                        select j.name, j.queue, j.priority, j.max_attempts, j.max_concurrent,
                               (select count(*) from scheduler.node n
                                where n.worker and n.lease_until > now() and j.name = any(n.jobs)) as nodes
                        from scheduler.job j
                        where j.name = :name
                        """)
                .param("name", name)
                .query((row, number) -> details(row))
                .optional();
    }

    private static JobDetails details(ResultSet row) throws SQLException {
        return new JobDetails(
                row.getString("name"),
                row.getString("queue"),
                row.getInt("priority"),
                row.getInt("max_attempts"),
                row.getObject("max_concurrent", Integer.class),
                row.getInt("nodes"));
    }
}
