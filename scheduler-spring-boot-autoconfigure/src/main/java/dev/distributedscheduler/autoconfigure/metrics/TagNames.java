package dev.distributedscheduler.autoconfigure.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Names that may be tags: the first so many that come, so that a program that makes up names cannot flood a registry. */
final class TagNames {

    static final String OTHER = "other";

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    TagNames(int most) {
        this.most = most;
    }

    /** Two threads may bring in one name too many; a cap need not be exact. */
    String of(String name) {
        if (known.contains(name)) {
            return name;
        }
        if (known.size() >= most) {
            return OTHER;
        }
        known.add(name);
        return name;
    }
}
