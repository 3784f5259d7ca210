package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.store.DeadLetterStore;
import dev.distributedscheduler.store.Enqueuing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Removes dead letters beyond their retention and idempotency keys whose reservation is over, one batch at a time. */
final class ExpiredRemover {

    private static final int ROWS_PER_BATCH = 1_000;

    private final FencedTransactions transactions;
    private final DeadLetterStore letters;
    private final Enqueuing keys;
    private final @Nullable Duration retention;
    private final Every care;
    private boolean more;

    /** @param retention of dead letters; null means for ever */
    ExpiredRemover(
            FencedTransactions transactions,
            DeadLetterStore letters,
            Enqueuing keys,
            @Nullable Duration retention,
            Every care) {
        this.transactions = transactions;
        this.letters = letters;
        this.keys = keys;
        this.retention = retention;
        this.care = care;
    }

    /** Does nothing until it is due; then returns how many rows it removed, and is due again at once if more are left. */
    int remove(Term term) {
        if (!more && !care.isDue()) {
            return 0;
        }
        more = false;
        care.done(); // before, not after: a failure is tried again when it is due, not at once
        int removed = transactions.commit(term, now -> keys.forgetKeys(ROWS_PER_BATCH));
        more = removed == ROWS_PER_BATCH;
        if (retention != null) {
            int dead = transactions.commit(term, now -> letters.forget(retention, ROWS_PER_BATCH));
            more |= dead == ROWS_PER_BATCH;
            removed += dead;
        }
        return removed;
    }
}
