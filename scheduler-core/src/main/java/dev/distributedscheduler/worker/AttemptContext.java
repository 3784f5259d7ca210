package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.LostOwnershipException;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.RunQueue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the handler is told. */
record AttemptContext(Attempt current, RunQueue queue) implements JobContext {

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
        if (!queue.owns(run())) {
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
}
