package dev.distributedscheduler.worker;

import dev.distributedscheduler.LostOwnershipException;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.store.RunHistory;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/**
 * Runs a handler and records its completion in one transaction: both happen, or neither.
 *
 * <p>The completion comes last and carries the token. A worker that was frozen meanwhile and whose run was given to another
 * completes nothing, and so commits nothing. The run's row is not locked before that, so that a frozen worker does not keep
 * its run from being rescued; and one that freezes between completion and commit loses its session, before its lease ends.
 */
final class RunTransactions {

    private final PlatformTransactionManager transactions;
    private final RunHistory history;
    private final Duration patience;

    /**
     * @param history on the database whose transactions the manager manages
     * @param patience after which the server ends a completed transaction that is not committed
     */
    RunTransactions(PlatformTransactionManager transactions, RunHistory history, Duration patience) {
        this.transactions = transactions;
        this.history = history;
        this.patience = patience;
    }

    /** The code of a handler. */
    interface Call {

        void run() throws Exception;
    }

    /** Throws when the handler does, when it was interrupted, or when the run is not this attempt's any more. */
    void execute(Attempt attempt, Call handler, Supplier<FinishedAttempt> completion) throws Exception {
        TransactionStatus transaction = transactions.getTransaction(TransactionDefinition.withDefaults());
        try {
            handler.run();
            if (attempt.isCutShort()) {
                throw new InterruptedException("Interrupted before the transaction was committed");
            }
            ClaimedRun run = attempt.run();
            if (!history.completeInTransaction(completion.get(), patience)) {
                throw new LostOwnershipException(run.id(), run.attempt());
            }
        } catch (Throwable failure) {
            rollback(transaction, failure);
            throw failure;
        }
        transactions.commit(transaction);
        attempt.recorded();
    }

    private void rollback(TransactionStatus transaction, Throwable failure) {
        try {
            transactions.rollback(transaction);
        } catch (RuntimeException alsoFailed) {
            failure.addSuppressed(alsoFailed);
        }
    }
}
