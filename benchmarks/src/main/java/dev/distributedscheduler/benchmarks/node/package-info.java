/** An instance of a contestant in a JVM of its own, and the line of commands between it and the benchmark. */
@NullMarked
package dev.distributedscheduler.benchmarks.node;

import org.jspecify.annotations.NullMarked;
