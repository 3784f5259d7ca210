package dev.distributedscheduler.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A stretch of database time, the end not included. */
record Period(Instant start, Instant end) {

    /** From the first full second after the given time. */
    static Period after(Instant time, Duration length) {
        Instant start = firstSecondAfter(time);
        return new Period(start, start.plus(length));
    }

    static Instant firstSecondAfter(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    boolean contains(Instant time) {
        return !time.isBefore(start) && time.isBefore(end);
    }

    OffsetDateTime startForSql() {
        return start.atOffset(ZoneOffset.UTC);
    }

    OffsetDateTime endForSql() {
        return end.atOffset(ZoneOffset.UTC);
    }
}
