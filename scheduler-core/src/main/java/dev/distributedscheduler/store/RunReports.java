package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.Progress;
import dev.distributedscheduler.run.ClaimedRun;
import java.util.List;

/** What attempts under way tell about themselves, in the table {@code run}; it is gone when the attempt is. */
public final class RunReports {

    private final Database database;

    public RunReports(Database database) {
        this.database = database;
    }

    /** How far an attempt has come. */
    public record ProgressReport(ClaimedRun run, Progress progress) {}

    /** Leaves out attempts that are no longer the current ones, and rows that somebody is changing right now. */
    public void progress(List<ProgressReport> reports) {
        database.sql("""
                        with told as (
                            select r.id, p.done, p.total, p.message
                            from scheduler.run r
                                     join unnest(:ids, :tokens, :done, :total, cast(:messages as text[]))
                                         as p (id, token, done, total, message) on r.id = p.id and r.token = p.token
                            where r.state = 'RUNNING'
                            for update of r skip locked
                        )
                        update scheduler.run r
                        set progress_done = t.done, progress_total = t.total, progress_message = t.message
                        from told t
                        where r.id = t.id
                        """)
                .param("ids", longs(reports, report -> report.run().id()))
                .param("tokens", longs(reports, report -> report.run().token()))
                .param("done", longs(reports, report -> report.progress().done()))
                .param("total", longs(reports, report -> report.progress().total()))
                .param("messages", texts(reports, report -> report.progress().message()))
                .update();
    }

    /** Notes that the handler of an attempt ignores its interrupt; false when it is not the current attempt any more. */
    public boolean stuck(ClaimedRun run, String stack) {
        return database.sql("""
                                update scheduler.run
                                set stuck_since = now(), stuck_stack = :stack
                                where id = :id and token = :token and state = 'RUNNING'
                                """)
                        .param("id", run.id())
                        .param("token", run.token())
                        .param("stack", stack)
                        .update()
                == 1;
    }
}
