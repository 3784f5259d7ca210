package dev.distributedscheduler.worker;

import dev.distributedscheduler.PermanentFailureException;
import dev.distributedscheduler.RetryLaterException;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a run whose attempt did not succeed.
 *
 * @param cutShort why it was interrupted; null when it was not
 * @param thrown what the handler threw; null when it returned, or still runs
 * @param stuckStack where its thread stood when it ignored its interrupt; null when it did not
 */
record Verdict(
        ClaimedRun run,
        JobPolicy policy,
        @Nullable Outcome cutShort,
        @Nullable Throwable thrown,
        @Nullable String stuckStack) {

    FinishedAttempt attempt(Duration waited, Duration ran) {
        Outcome outcome = outcome();
        return new FinishedAttempt(run, outcome, waited, ran, retryIn(outcome), failure(outcome));
    }

    private Outcome outcome() {
        if (cutShort != null) {
            return cutShort;
        }
        boolean asked = thrown instanceof RetryLaterException && run.snoozes() < RetryLaterException.MOST;
        return asked ? Outcome.SNOOZED : Outcome.FAILED;
    }

    private @Nullable Duration retryIn(Outcome outcome) {
        if (outcome == Outcome.SNOOZED && thrown instanceof RetryLaterException later) {
            return later.delay();
        }
        if (outcome == Outcome.CANCELLED) {
            return null;
        }
        if (!outcome.usesUpAttempt()) {
            return Duration.ZERO;
        }
        Throwable error = outcome == Outcome.TIMED_OUT || thrown == null ? new TimeoutException() : thrown;
        return error instanceof PermanentFailureException ? null : ask(error).orElse(null);
    }

    private Optional<Duration> ask(Throwable error) {
        int failures = run.failures() + 1;
        try {
            return policy.retry().retryIn(failures, error);
        } catch (RuntimeException brokenPolicy) {
            error.addSuppressed(brokenPolicy);
            return RetryPolicy.DEFAULT.retryIn(failures, error);
        }
    }

    private Failure failure(Outcome outcome) {
        Failure error = thrown == null ? null : Failure.of(thrown);
        if (cutShort == null && error != null) {
            return error;
        }
        String why = switch (outcome) {
            case TIMED_OUT -> "Interrupted after %s".formatted(policy.timeout());
            case CANCELLED -> "Interrupted because the run was cancelled";
            default -> "Interrupted because the node stopped or could not renew its lease";
        };
        if (stuckStack != null) {
            return new Failure(outcome.name(), why + ", and ignored that", stuckStack);
        }
        return new Failure(outcome.name(), why, error == null ? null : error.stackTrace());
    }
}
