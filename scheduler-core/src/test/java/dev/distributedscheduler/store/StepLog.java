package dev.distributedscheduler.store;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The last steps of a random test, for whoever has to understand its failure. */
final class StepLog {

    private static final int LENGTH = 20;

    private final Deque<String> last = new ArrayDeque<>();

    /** Asks the store, and notes question and answer. */
    <T> T ask(Supplier<T> store, Object... question) {
        last.addLast(inShort(List.of(question)));
        if (last.size() > LENGTH) {
            last.removeFirst();
        }
        T answer = store.get();
        last.addLast(last.removeLast() + " -> " + inShort(answer));
        return answer;
    }

    private static String inShort(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(StepLog::inShort).collect(Collectors.joining(" "));
        } else if (value instanceof NewRun run) {
            return "%s with %s,".formatted(run.job(), run.options()).replaceAll("\\w+=null(, )?", "");
        } else if (value instanceof ClaimedRun run) {
            return "%d (%s, attempt %d, token %d)".formatted(run.id(), run.job(), run.attempt(), run.token());
        } else if (value instanceof FinishedAttempt ended) {
            return "%s %s again in %s,".formatted(inShort(ended.run()), ended.outcome(), ended.retryIn());
        }
        return String.valueOf(value);
    }

    @Override
    public String toString() {
        return String.join("\n", last);
    }
}
