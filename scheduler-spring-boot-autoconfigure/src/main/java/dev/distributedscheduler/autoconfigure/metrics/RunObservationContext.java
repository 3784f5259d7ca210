package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.run.ClaimedRun;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;

/** One attempt of a run, which carries what its enqueuer gave it: a tracing library finds its parent there. */
public final class RunObservationContext extends ReceiverContext<Map<String, String>> {

    private final ClaimedRun run;

    RunObservationContext(ClaimedRun run) {
        super(Map::get, Kind.CONSUMER);
        this.run = run;
        setCarrier(TraceText.fields(run.trace()));
    }

    public ClaimedRun run() {
        return run;
    }
}
