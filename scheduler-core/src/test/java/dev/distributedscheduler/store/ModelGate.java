package dev.distributedscheduler.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The concurrency limits of the {@link QueueModel}: of each group, those pass who are within the limit, slots included. */
enum ModelGate {
    KEY {
        @Override
        String group(ModelRun run) {
            return run.job + " " + run.concurrencyKey();
        }

        @Override
        boolean hasSlot(ModelRun run) {
            return run.concurrencyKey() != null && (run.isAdmitted() || run.blockedBy == JOB);
        }

        @Override
        int limit(ModelRun run) {
            return run.keyLimit();
        }
    },
    JOB {
        @Override
        String group(ModelRun run) {
            return run.job;
        }

        @Override
        boolean hasSlot(ModelRun run) {
            return run.jobLimit != null && run.isAdmitted();
        }

        @Override
        int limit(ModelRun run) {
            return run.jobLimit;
        }
    };

    abstract String group(ModelRun run);

    abstract boolean hasSlot(ModelRun run);

    abstract int limit(ModelRun run);

    /** One after the other in the order of the line, counting also those ahead who must wait. */
    int pass(Collection<ModelRun> live) {
        Map<String, Integer> ahead = new HashMap<>();
        live.stream().filter(this::hasSlot).forEach(run -> ahead.merge(group(run), 1, Integer::sum));
        List<ModelRun> passing = live.stream()
                .filter(run -> run.blockedBy == this)
                .sorted(ModelRun.LINE)
                .filter(run -> ahead.merge(group(run), 1, Integer::sum) <= limit(run))
                .toList();
        passing.forEach(ModelRun::passGate);
        return passing.size();
    }
}
