package dev.distributedscheduler.event;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Remembers which failures were told in full lately, so that a thousand of a kind do not fill the log with one stack trace. */
final class ToldFailures {

    private static final long LATELY = Duration.ofMinutes(10).toNanos();
    private static final int MOST = 200;

    private final LongSupplier nanoTime;
    private final Map<Kind, Long> told = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Long> eldest) {
            return size() > MOST;
        }
    };

    private record Kind(String job, String errorType) {}

    ToldFailures(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether it should be told in full now; then it counts as told. */
    synchronized boolean isNews(String job, String errorType) {
        Kind kind = new Kind(job, errorType);
        long now = nanoTime.getAsLong();
        Long last = told.get(kind);
        if (last != null && now - last < LATELY) {
            return false;
        }
        told.remove(kind); // the youngest last
        told.put(kind, now);
        return true;
    }
}
