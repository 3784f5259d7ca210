/** What a user of the scheduler types: annotations, the context of a run, and the one configuration error. */
@NullMarked
package dev.distributedscheduler;

import org.jspecify.annotations.NullMarked;
