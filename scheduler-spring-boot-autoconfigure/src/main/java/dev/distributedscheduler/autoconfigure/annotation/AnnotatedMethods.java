package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.DistributedSchedules;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the annotations, also repeated ones and those inside other annotations. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    static Map<Method, Set<DistributedScheduled>> scheduled(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, DistributedScheduled.class)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(type, (MetadataLookup<Set<DistributedScheduled>>) method -> {
            Set<DistributedScheduled> found = AnnotatedElementUtils.getMergedRepeatableAnnotations(
                    method, DistributedScheduled.class, DistributedSchedules.class);
            return found.isEmpty() ? null : found;
        });
    }

    static Map<Method, DistributedJob> jobs(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, DistributedJob.class)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(type, (MetadataLookup<DistributedJob>)
                method -> AnnotatedElementUtils.getMergedAnnotation(method, DistributedJob.class));
    }
}
