package dev.distributedscheduler.schedule;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the ticks of a schedule that cannot run as they come.
 *
 * @param grace how old a missed tick may be to be made up for; null for the cluster's setting
 * @param overlap a tick whose predecessor is still live
 * @param maxOverlap runs at once with {@link Overlap#ALLOW}; null for no limit
 */
public record SchedulePolicy(
        Misfire misfire,
        @Nullable Duration grace,
        Overlap overlap,
        @Nullable Integer maxOverlap) {

    public static final SchedulePolicy DEFAULT = new SchedulePolicy(Misfire.REPLAY_ALL, null, Overlap.SKIP, null);

    public SchedulePolicy {
        if (grace != null && (grace.isNegative() || grace.isZero())) {
            throw new IllegalArgumentException("A misfire grace must be positive, but is " + grace);
        }
        if (maxOverlap != null && (maxOverlap < 1 || overlap != Overlap.ALLOW)) {
            throw new IllegalArgumentException("A limit of runs at once is at least 1 and needs Overlap.ALLOW");
        }
    }

    public SchedulePolicy with(Misfire other) {
        return new SchedulePolicy(other, grace, overlap, maxOverlap);
    }

    public SchedulePolicy with(Overlap other) {
        return new SchedulePolicy(misfire, grace, other, maxOverlap);
    }
}
