/** When a job runs: schedules, their triggers, and which ticks are due. */
@NullMarked
package dev.distributedscheduler.schedule;

import org.jspecify.annotations.NullMarked;
