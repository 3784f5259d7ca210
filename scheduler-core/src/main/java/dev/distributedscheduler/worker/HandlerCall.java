package dev.distributedscheduler.worker;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.PermanentFailureException;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.run.ClaimedRun;
import org.jspecify.annotations.Nullable;

/** Gives the handler of a job what a run has for it. */
record HandlerCall(JobDefinition job, ClaimedRun claimed, JobContext context) implements RunTransactions.Call {

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the reader has made what the handler said it wants
    public void run() throws Exception {
        ((JobHandler<@Nullable Object>) job.handler()).run(payload(), context);
    }

    private @Nullable Object payload() {
        try {
            return job.payload().read(claimed.payload());
        } catch (RuntimeException unfit) {
            throw new PermanentFailureException("The payload does not fit: " + unfit.getMessage(), unfit);
        }
    }
}
