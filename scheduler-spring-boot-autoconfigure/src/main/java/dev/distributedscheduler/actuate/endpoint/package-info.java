/** The scheduler's actuator endpoints: what there is to see, and what people may do. */
@NullMarked
package dev.distributedscheduler.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
