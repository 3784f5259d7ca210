/** What a node says when it is asked for its health. */
@NullMarked
package dev.distributedscheduler.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
