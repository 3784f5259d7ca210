/**
 * Who looks on: every node has a look at the whole cluster now and then, and tells what it sees as events.
 *
 * <p>It reads and changes nothing, on a thread of its own and with a bound on every statement: nothing waits for it, and
 * nothing fails because of it.
 */
@NullMarked
package dev.distributedscheduler.watch;

import org.jspecify.annotations.NullMarked;
