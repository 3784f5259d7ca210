package dev.distributedscheduler.engine;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands around an enqueue, on the caller's thread, and may give the new runs something to carry to those who will execute
 * them.
 */
public interface EnqueueInterceptor {

    /** The longest thing that a run carries; what is longer is left behind. */
    int LONGEST_TRACE = 4_000;

    /** Adds nothing. */
    EnqueueInterceptor NONE = new EnqueueInterceptor() {
        @Override
        public <T> T around(String job, int runs, Function<@Nullable String, T> enqueue) {
            return enqueue.apply(null);
        }
    };

    /** Calls the enqueue exactly once, with what the runs are to carry, and passes on what it returns or throws. */
    <T> T around(String job, int runs, Function<@Nullable String, T> enqueue);
}
