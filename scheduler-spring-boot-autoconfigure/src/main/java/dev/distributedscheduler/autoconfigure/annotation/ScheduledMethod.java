package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
import java.time.ZoneId;

/**
 * What there is to read about the schedule of a method.
 *
 * @param name of the schedule and its job
 * @param overrides what the configuration says, which wins
 */
record ScheduledMethod(String name, DistributedScheduled annotation, JobOverrides overrides, Attributes attributes) {

    /** The full name of a setting that overrides an attribute. */
    String property(String setting) {
        return JobOverrides.property(name, setting);
    }

    ZoneId zone() {
        return overrides.zone() == null
                ? attributes.zone("zone", annotation.zone())
                : attributes.zone(property("zone"), overrides.zone());
    }
}
