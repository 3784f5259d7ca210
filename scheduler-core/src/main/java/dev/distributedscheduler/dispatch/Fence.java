package dev.distributedscheduler.dispatch;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The right to dispatch: transactions that commit only while it lasts. */
interface Fence {

    /**
     * What a transaction may do.
     *
     * @param now the database's time
     * @param term under which
     * @param partitions whose schedules it may move; null for all
     */
    record Scope(Instant now, long term, @Nullable List<Integer> partitions) {}

    /** Does the work and commits it; throws when the right is gone. */
    <T extends @Nullable Object> T commit(Function<Scope, T> work);
}
