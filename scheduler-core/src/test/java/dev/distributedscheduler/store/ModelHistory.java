package dev.distributedscheduler.store;

import dev.distributedscheduler.run.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The history of the {@link QueueModel}: one outcome per attempt, apart from a late one after LOST. */
final class ModelHistory {

    private final List<String> rows = new ArrayList<>();
    private final Map<Outcome, Integer> times = new TreeMap<>();
    private final Set<Long> answered = new HashSet<>();

    /** @param token of the attempt; null for a run that had none under way */
    void record(long runId, int attempt, Long token, Outcome outcome) {
        rows.add(ModelRun.words(runId, attempt, token, outcome));
        times.merge(outcome, 1, Integer::sum);
        if (token != null && outcome != Outcome.LOST) {
            ModelRun.check(answered.add(token), "one outcome per attempt, but not of that with token " + token);
        }
    }

    /** Whether the attempt's own result is there, accepted or late. */
    boolean isAnswered(long token) {
        return answered.contains(token);
    }

    List<String> rows() {
        return rows;
    }

    Stream<String> counts() {
        return times.keySet().stream().map(outcome -> times.get(outcome) + " times " + outcome);
    }
}
