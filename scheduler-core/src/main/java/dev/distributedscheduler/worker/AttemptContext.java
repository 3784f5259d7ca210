package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.run.ClaimedRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the handler is told. */
record AttemptContext(ClaimedRun run) implements JobContext {

    @Override
    public String job() {
        return run.job();
    }

    @Override
    public long runId() {
        return run.id();
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public long token() {
        return run.token();
    }

    @Override
    public @Nullable String idempotencyKey() {
        return run.idempotencyKey();
    }

    @Override
    public @Nullable Instant scheduledTime() {
        return run.tickAt();
    }
}
