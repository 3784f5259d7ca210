/** The leader's duties: due ticks become runs, delayed runs become ready, lost runs come back, history is kept in bounds. */
@NullMarked
package dev.distributedscheduler.dispatch;

import org.jspecify.annotations.NullMarked;
