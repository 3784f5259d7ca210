/** A small invoicing service whose work is done by scheduled jobs. */
@NullMarked
package dev.distributedscheduler.sample;

import org.jspecify.annotations.NullMarked;
