package dev.distributedscheduler;

/**
 * What becomes of ticks whose local time does not exist, because the clock is put forward over it.
 *
 * <p>An expression for every hour of the day ({@code *}, {@code 0-23}) names no time of day and has nothing to make up
 * for: its ticks of the gap are left out with either policy, and the next one comes when the clock shows it.
 */
public enum DstGap {
    /**
     * They run once, at the end of the gap: one tick for all of them, and no extra one if a regular tick is due then.
     * Where the gap ends at midnight (America/Nuuk), that is the first instant of the next day.
     */
    RUN_AFTER,

    /** They do not run: a job at 02:30 rests on the day the clock goes from 02:00 to 03:00. */
    SKIP
}
