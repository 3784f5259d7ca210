/** Spring Boot: properties, the beans of a node, and its place in the application's life. */
@NullMarked
package dev.distributedscheduler.autoconfigure;

import org.jspecify.annotations.NullMarked;
