/** What is measured: one class per scheduler, each set up the way its own documentation recommends for load. */
@NullMarked
package dev.distributedscheduler.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;
