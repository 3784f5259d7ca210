package dev.distributedscheduler;

/**
 * A run's place in line: how many minutes it is treated as older than it is.
 *
 * <p>A head start instead of strict classes means that nothing starves: a {@link #LOW} run overtakes every
 * {@link #CRITICAL} one that became due more than 70 minutes after it.
 */
public enum Priority {
    CRITICAL(60),
    HIGH(10),
    NORMAL(0),
    LOW(-10);

    private final int headStartMinutes;

    Priority(int headStartMinutes) {
        this.headStartMinutes = headStartMinutes;
    }

    public int headStartMinutes() {
        return headStartMinutes;
    }
}
