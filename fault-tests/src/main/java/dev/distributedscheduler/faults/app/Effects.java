package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs that write to the table {@code effect}, which the test makes, in one of the two ways to do that exactly once. */
final class Effects {

    private final LedgerFile ledger;
    private final GoSign go;
    private final JdbcClient sql;
    private final TransactionTemplate transaction;

    Effects(LedgerFile ledger, GoSign go, JdbcClient sql, TransactionTemplate transaction) {
        this.ledger = ledger;
        this.go = go;
        this.sql = sql;
        this.transaction = transaction;
    }

    @DistributedJob(name = "transactional", transactional = true)
    void transactional(JobContext context) {
        ledger.record(context, () -> write(context));
    }

    @DistributedJob("owned")
    void owned(JobContext context) {
        ledger.record(
                context,
                () -> transaction.executeWithoutResult(status -> {
                    write(context);
                    context.assertOwned();
                }));
    }

    private void write(JobContext context) {
        sql.sql("insert into effect (run, attempt) values (:run, :attempt)")
                .param("run", context.runId())
                .param("attempt", context.attempt())
                .update();
        go.await(context);
    }
}
