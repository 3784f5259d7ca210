package dev.distributedscheduler.job;

import dev.distributedscheduler.SchedulerConfigurationException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The jobs that this node can run, by name and by former name. */
public final class JobRegistry {

    private final List<JobDefinition> definitions;
    private final Map<String, JobDefinition> byName = new LinkedHashMap<>();

    public JobRegistry(Collection<JobDefinition> definitions) {
        this.definitions = List.copyOf(definitions);
        for (JobDefinition definition : definitions) {
            add(definition.name(), definition);
            definition.aliases().forEach(alias -> add(alias, definition));
        }
    }

    private void add(String name, JobDefinition definition) {
        if (byName.put(name, definition) != null) {
            throw new SchedulerConfigurationException(
                    "Two jobs have the name '%s'".formatted(name), "Give each job a name of its own.");
        }
    }

    /** The job of a run that this node claimed; only known jobs are ever claimed. */
    public JobDefinition get(String name) {
        JobDefinition definition = byName.get(name);
        if (definition == null) {
            throw new IllegalStateException("This node has no job '%s'".formatted(name));
        }
        return definition;
    }

    public List<JobDefinition> definitions() {
        return definitions;
    }

    /** All names under which this node can run something. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    public Set<String> queues() {
        Set<String> queues = new TreeSet<>();
        definitions.forEach(job -> queues.add(job.policy().queue()));
        return queues;
    }
}
