/** Meters and observations of a node, made of its events; described in {@code docs/operations/meters.md}. */
@NullMarked
package dev.distributedscheduler.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
