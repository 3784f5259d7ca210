package dev.distributedscheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * <p>A page is found with a bounded effort. So one that is not full, even an empty one, may have a next page: what was looked
 * at did not match, and there is more to look at.
 *
 * @param next given back as {@code after}, it yields the next page; null when there is nothing more
 */
public record Page<T>(List<T> items, @Nullable String next) {}
