package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.SchedulerConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what is wrong and what to do instead of a stack trace. */
final class SchedulerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<SchedulerConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchedulerConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
