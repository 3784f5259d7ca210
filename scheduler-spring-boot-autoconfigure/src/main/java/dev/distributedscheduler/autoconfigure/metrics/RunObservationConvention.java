package dev.distributedscheduler.autoconfigure.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How the observation of an attempt is named; a bean of this type replaces the default. */
public interface RunObservationConvention extends ObservationConvention<RunObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof RunObservationContext;
    }
}
