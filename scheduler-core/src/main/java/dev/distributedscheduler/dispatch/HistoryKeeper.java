package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.store.OperationLog;
import dev.distributedscheduler.store.RunHistory;
import java.time.Duration;

/** Keeps the history's monthly partitions ahead of time and within the retention, and the record of operations with it. */
final class HistoryKeeper {

    private static final int MONTHS_AHEAD = 2;
    private static final int OPERATIONS_PER_BATCH = 5_000;

    private final FencedTransactions transactions;
    private final RunHistory history;
    private final OperationLog operations;
    private final Duration retention;

    HistoryKeeper(FencedTransactions transactions, RunHistory history, OperationLog operations, Duration retention) {
        this.transactions = transactions;
        this.history = history;
        this.operations = operations;
        this.retention = retention;
    }

    /** Waits for no lock longer than the fence allows, so that a long query on the history cannot stall the queue. */
    void keep(Term term) {
        transactions.commit(term, now -> {
            history.keep(MONTHS_AHEAD, retention);
            return null;
        });
        int forgotten;
        do {
            forgotten = transactions.commit(term, now -> operations.forget(retention, OPERATIONS_PER_BATCH));
        } while (forgotten == OPERATIONS_PER_BATCH);
    }
}
