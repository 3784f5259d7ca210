package dev.distributedscheduler;

import java.time.Duration;

/**
 * When a job that promises to succeed every so often last did.
 *
 * @param mustSucceedEvery what it promises
 * @param sinceSuccess time since its last success; since the cluster learned of the job when it had none; at least this long
 *     when the history does not go back far enough
 * @param succeeded whether the history has a success of it at all
 */
public record JobFreshness(String job, Duration mustSucceedEvery, Duration sinceSuccess, boolean succeeded) {

    public boolean isOverdue() {
        return sinceSuccess.compareTo(mustSucceedEvery) > 0;
    }
}
