package dev.distributedscheduler.job;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The jobs that this node can run, by name. */
public final class JobRegistry {

    private final Map<String, JobDefinition> jobs = new LinkedHashMap<>();

    public JobRegistry(Collection<JobDefinition> definitions) {
        for (JobDefinition definition : definitions) {
            if (jobs.put(definition.name(), definition) != null) {
                throw new SchedulerConfigurationException(
                        "Two jobs have the name '%s'".formatted(definition.name()), "Give each job a name of its own.");
            }
        }
    }

    /** The job of a run that this node claimed; only known jobs are ever claimed. */
    public JobDefinition get(String name) {
        JobDefinition definition = jobs.get(name);
        if (definition == null) {
            throw new IllegalStateException("This node has no job '%s'".formatted(name));
        }
        return definition;
    }

    public Set<String> names() {
        return Set.copyOf(jobs.keySet());
    }

    public Set<String> queues() {
        Set<String> queues = new TreeSet<>();
        jobs.values().forEach(job -> queues.add(job.queue()));
        return queues;
    }
}
