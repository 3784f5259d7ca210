/** Threads that repeat a step for as long as the engine runs, whatever the step throws. */
@NullMarked
package dev.distributedscheduler.loop;

import org.jspecify.annotations.NullMarked;
