package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Transactions that commit only while the term lasts. */
final class FencedTransactions {

    private final Database database;
    private final LeaseStore leases;
    private final Duration patience;

    /** @param patience after which the server ends a transaction whose leader no longer moves */
    FencedTransactions(Database database, Duration patience) {
        this.database = database;
        this.leases = new LeaseStore(database);
        this.patience = patience;
    }

    /** Does the work, given the database's time, and commits it in this term; throws when the term is over. */
    <T extends @Nullable Object> T commit(Term term, Function<Instant, T> work) {
        return database.inTransaction(
                () -> work.apply(leases.fence(term.number(), patience).orElseThrow(() -> new TermOverException(term))));
    }

    /** The right of a leader that dispatches alone. */
    Fence alone(Term term) {
        return new Fence() {
            @Override
            public <T extends @Nullable Object> T commit(Function<Scope, T> work) {
                return FencedTransactions.this.commit(term, now -> work.apply(new Scope(now, term.number(), null)));
            }
        };
    }

    /** The leader's term ended before its transaction began. */
    static final class TermOverException extends RuntimeException {

        TermOverException(Term term) {
            super("Term %d is over".formatted(term.number()), null, false, false);
        }
    }
}
