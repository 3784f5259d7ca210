package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.LostOwnershipException;
import dev.distributedscheduler.PreviousSuccess;
import dev.distributedscheduler.Progress;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.StorableText;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.RunSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the handler is told.
 *
 * @param patience how long a transaction that holds the run may stand still
 */
record AttemptContext(Attempt current, RunQueue queue, RunSearch search, Duration patience) implements JobContext {

    private static final int LONGEST_MESSAGE = 500;

    private ClaimedRun run() {
        return current.run();
    }

    @Override
    public String job() {
        return run().job();
    }

    @Override
    public long runId() {
        return run().id();
    }

    @Override
    public int attempt() {
        return run().attempt();
    }

    @Override
    public long token() {
        return run().token();
    }

    @Override
    public boolean isCancelled() {
        return current.isCutShort();
    }

    @Override
    public void assertOwned() {
        if (!queue.owns(run(), patience)) {
            throw new LostOwnershipException(run().id(), run().attempt());
        }
    }

    @Override
    public @Nullable String idempotencyKey() {
        return run().idempotencyKey();
    }

    @Override
    public @Nullable Instant scheduledTime() {
        return run().tickAt();
    }

    @Override
    public Optional<PreviousSuccess> previousSuccess() {
        return search.previousSuccess(run());
    }

    @Override
    public void progress(long done, long total, @Nullable String message) {
        current.progress(new Progress(done, total, message == null ? null : StorableText.of(message, LONGEST_MESSAGE)));
    }
}
