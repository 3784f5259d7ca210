/** What happened: the one hook for logs, meters and endpoints. */
@NullMarked
package dev.distributedscheduler.event;

import org.jspecify.annotations.NullMarked;
