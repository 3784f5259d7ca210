package dev.distributedscheduler.engine;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.job.Names;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.store.Cancelling;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.Enqueuing;
import dev.distributedscheduler.store.Hastening;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.WakeUps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a user asks of the queue, checked before the database sees it. */
public final class RunEnqueuer implements JobScheduler {

    private final Enqueuing enqueuing;
    private final Cancelling cancelling;
    private final Hastening hastening;
    private final JobStore jobs;
    private final PayloadEncoder payloads;
    private final Schedules schedules;
    private final EnqueueInterceptor interceptor;

    /**
     * @param database on the connections of the application, whose transactions it joins
     * @param wakeUps the ones that this JVM's engine listens to
     * @param interceptor somebody around each enqueue
     */
    public RunEnqueuer(
            Database database,
            WakeUps wakeUps,
            PayloadCodec payloads,
            int maxPayloadBytes,
            Schedules schedules,
            EnqueueInterceptor interceptor) {
        this.enqueuing = new Enqueuing(database, wakeUps);
        this.cancelling = new Cancelling(database);
        this.hastening = new Hastening(database);
        this.jobs = new JobStore(database);
        this.payloads = new PayloadEncoder(payloads, maxPayloadBytes);
        this.schedules = schedules;
        this.interceptor = interceptor;
    }

    @Override
    public EnqueuedRun enqueue(String job, @Nullable Object payload, UnaryOperator<EnqueueOptions> options) {
        NewRun run = newRun(job, payload, options.apply(EnqueueOptions.NONE));
        return enqueue(job, List.of(run)).get(0);
    }

    @Override
    public <T> List<EnqueuedRun> enqueueAll(
            String job, Collection<T> payloads, BiFunction<T, EnqueueOptions, EnqueueOptions> options) {
        List<NewRun> runs = new ArrayList<>(payloads.size());
        for (T payload : payloads) {
            runs.add(newRun(job, payload, options.apply(payload, EnqueueOptions.NONE)));
        }
        return runs.isEmpty() ? List.of() : enqueue(job, runs);
    }

    @Override
    public boolean cancel(long runId) {
        return cancelling.cancel(List.of(runId)).contains(runId);
    }

    @Override
    public boolean retryNow(long runId) {
        return hastening.hasten(runId);
    }

    @Override
    public ScheduleSpec schedule(String name) {
        return schedules.schedule(name);
    }

    private List<EnqueuedRun> enqueue(String job, List<NewRun> runs) {
        return interceptor.around(job, runs.size(), trace -> enqueue(carrying(trace, runs)));
    }

    private static List<NewRun> carrying(@Nullable String trace, List<NewRun> runs) {
        if (trace == null || trace.length() > EnqueueInterceptor.LONGEST_TRACE) {
            return runs;
        }
        return runs.stream()
                .map(run -> new NewRun(run.job(), run.payload(), run.options(), trace))
                .toList();
    }

    private List<EnqueuedRun> enqueue(List<NewRun> runs) {
        Map<Integer, EnqueuedRun> results = enqueuing.enqueue(runs);
        List<EnqueuedRun> inOrder = new ArrayList<>(runs.size());
        for (int i = 0; i < runs.size(); i++) {
            EnqueuedRun result = results.get(i);
            if (result == null) {
                throw new IllegalArgumentException("No node has declared a job '%s'; there are %s"
                        .formatted(runs.get(i).job(), jobs.names()));
            }
            inOrder.add(result);
        }
        return inOrder;
    }

    private NewRun newRun(String job, @Nullable Object payload, EnqueueOptions options) {
        Names.check("job", job);
        if (options.queue() != null) {
            Names.check("queue", options.queue());
        }
        return new NewRun(job, payloads.encode("a run of '%s'".formatted(job), payload), options);
    }
}
