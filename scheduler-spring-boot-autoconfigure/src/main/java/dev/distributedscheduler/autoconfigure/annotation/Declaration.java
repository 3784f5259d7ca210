package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.Schedule;

/** What an annotation says. */
record Declaration(JobDefinition job, Schedule schedule) {}
