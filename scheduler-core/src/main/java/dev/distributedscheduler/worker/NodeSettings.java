package dev.distributedscheduler.worker;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How this replica presents itself.
 *
 * @param name shown to people; need not be unique
 * @param version of the application; null when unknown
 * @param lease how long the node counts as alive without a heartbeat; a third of it is the time between two
 */
public record NodeSettings(String name, @Nullable String version, Duration lease) {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    public NodeSettings {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new SchedulerConfigurationException(
                    "A node's lease of %s is too short to be renewed reliably".formatted(lease),
                    "Set distributed-scheduler.node.lease to at least 1s; 30s is a good value.");
        }
    }

    /** Time between two heartbeats. */
    public Duration heartbeatEvery() {
        return lease.dividedBy(3);
    }

    /** How long after a heartbeat the node may believe in its lease: it lets go earlier than the database does. */
    Duration trust() {
        return lease.minus(lease.dividedBy(10));
    }
}
