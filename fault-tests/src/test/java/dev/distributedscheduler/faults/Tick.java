package dev.distributedscheduler.faults;

import java.time.Instant;

/** One due time of one job. */
record Tick(String job, Instant at) {}
