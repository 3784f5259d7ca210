/** What can be run: jobs, their handlers and their policies. */
@NullMarked
package dev.distributedscheduler.job;

import org.jspecify.annotations.NullMarked;
