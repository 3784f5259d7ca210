package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Declaration;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs and schedules of all beans, each name once. */
final class DeclaredJobs {

    private static final Logger log = LoggerFactory.getLogger(DeclaredJobs.class);

    private final Map<String, Declaration> declared = new LinkedHashMap<>();
    private boolean complete;

    synchronized void add(Declaration declaration) {
        if (complete) {
            log.warn("Ignored {}: the bean was made after the scheduler had started", declaration.where());
            return;
        }
        String name = declaration.job().name();
        Declaration other = declared.putIfAbsent(name, declaration);
        if (other != null) {
            throw new SchedulerConfigurationException(
                    "Two jobs have the name '%s': %s, and %s".formatted(name, other.where(), declaration.where()),
                    "Give each job a name of its own.");
        }
    }

    /**
     * All of them; what comes later is too late.
     *
     * @param configured names of the jobs that the configuration says something about
     */
    synchronized Declarations complete(Set<String> configured, TriggerBeans triggers) {
        if (!complete) {
            complete = true;
            tellUnknown(configured);
        }
        List<Schedule> schedules = declared.values().stream()
                .map(Declaration::schedule)
                .filter(Objects::nonNull)
                .toList();
        return new Declarations(
                new JobRegistry(declared.values().stream().map(Declaration::job).toList()), schedules, triggers);
    }

    /** A job may exist on other replicas only, so this is no mistake for sure. */
    private void tellUnknown(Set<String> configured) {
        Set<String> unknown = new TreeSet<>(configured);
        unknown.removeAll(declared.keySet());
        if (!unknown.isEmpty()) {
            log.warn(
                    "distributed-scheduler.jobs.* says something about {}, but the jobs of this application are {}"
                            + " (a name with dots stands in brackets: distributed-scheduler.jobs.[bean.method].cron)",
                    unknown,
                    new TreeSet<>(declared.keySet()));
        }
    }
}
