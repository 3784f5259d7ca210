package dev.distributedscheduler;

/** What becomes of ticks whose local time comes twice, because the clock is put back over it. */
public enum DstOverlap {
    /**
     * They run the first time only.
     *
     * <p>An expression for every hour of the day ({@code *}, {@code 0-23}) names no time of day and runs both times,
     * as with {@link #TWICE}: an hourly job, or one for every minute, does not pause while the hour is repeated.
     */
    ONCE,

    /** They run both times: a job at 02:30 runs at two instants when the clock goes from 03:00 back to 02:00. */
    TWICE
}
