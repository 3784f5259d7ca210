package dev.distributedscheduler;

/**
 * What becomes of ticks that were missed, because there was no leader or no database, or the schedule was paused.
 *
 * <p>Ticks older than the misfire grace are skipped in any case. What is skipped is recorded.
 */
public enum Misfire {
    /** Each one is made up for, in order, beside the live ticks but at most as fast as those come. */
    REPLAY_ALL,
    /** Only the latest one is made up for, at once. */
    REPLAY_LATEST,
    /** None is made up for. */
    SKIP
}
