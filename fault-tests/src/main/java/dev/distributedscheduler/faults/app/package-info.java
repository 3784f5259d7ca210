/** The application under fire: jobs whose only effect is a line in a file that the scheduler knows nothing of. */
@NullMarked
package dev.distributedscheduler.faults.app;

import org.jspecify.annotations.NullMarked;
