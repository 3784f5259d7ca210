/** Figures of all repeats, and the page that shows them. */
@NullMarked
package dev.distributedscheduler.benchmarks.report;

import org.jspecify.annotations.NullMarked;
