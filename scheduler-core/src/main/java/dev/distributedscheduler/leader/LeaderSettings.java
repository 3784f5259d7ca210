package dev.distributedscheduler.leader;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;

/**
 * Times of the leader election.
 *
 * @param lease how long a leadership lasts without renewal
 * @param renewEvery how often the leader renews it
 * @param checkEvery how often a follower looks whether the leader's session is gone
 */
public record LeaderSettings(Duration lease, Duration renewEvery, Duration checkEvery) {

    public static final LeaderSettings DEFAULT =
            new LeaderSettings(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofMillis(1500));

    public LeaderSettings {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new SchedulerConfigurationException(
                    "A leader's lease of %s is too short to be renewed reliably".formatted(lease),
                    "Set distributed-scheduler.leader.lease to at least 1s; 30s is a good value.");
        }
        if (renewEvery.isNegative()
                || renewEvery.isZero()
                || renewEvery.multipliedBy(2).compareTo(lease) >= 0) {
            throw new SchedulerConfigurationException(
                    "A leader that renews every %s would lose a lease of %s when a single renewal fails"
                            .formatted(renewEvery, lease),
                    "Set distributed-scheduler.leader.renew-every to less than half of distributed-scheduler.leader.lease; a third is a good value.");
        }
        if (checkEvery.isNegative() || checkEvery.isZero() || checkEvery.compareTo(lease) > 0) {
            throw new SchedulerConfigurationException(
                    "Followers that check every %s are no use for a lease of %s".formatted(checkEvery, lease),
                    "Set distributed-scheduler.leader.check-every to a time above zero and at most distributed-scheduler.leader.lease.");
        }
    }

    /** How much earlier than the database the leader lets go of its lease. */
    Duration margin() {
        return lease.dividedBy(10);
    }
}
