/** Start and stop of a node, and the wiring of its parts. */
@NullMarked
package dev.distributedscheduler.engine;

import org.jspecify.annotations.NullMarked;
