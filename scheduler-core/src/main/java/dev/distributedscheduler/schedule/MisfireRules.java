package dev.distributedscheduler.schedule;

import dev.distributedscheduler.Misfire;
import java.time.Duration;

/**
 * When a tick counts as missed, and what then.
 *
 * @param grace how old a missed tick may be to be made up for
 * @param after how late a tick may be dispatched without counting as missed
 */
public record MisfireRules(Misfire policy, Duration grace, Duration after) {

    public MisfireRules {
        after = after.compareTo(grace) < 0 ? after : grace;
    }
}
