/** Discovery: from annotated bean methods to jobs and schedules. */
@NullMarked
package dev.distributedscheduler.autoconfigure.annotation;

import org.jspecify.annotations.NullMarked;
