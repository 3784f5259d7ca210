/** This scheduler and its peers, measured side by side on one PostgreSQL; {@link dev.distributedscheduler.benchmarks.Benchmarks} is where to begin. */
@NullMarked
package dev.distributedscheduler.benchmarks;

import org.jspecify.annotations.NullMarked;
