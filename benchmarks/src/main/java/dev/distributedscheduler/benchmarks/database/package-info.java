/** The PostgreSQL that everything is measured on. */
@NullMarked
package dev.distributedscheduler.benchmarks.database;

import org.jspecify.annotations.NullMarked;
