/** What is measured: one class per question. */
@NullMarked
package dev.distributedscheduler.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
