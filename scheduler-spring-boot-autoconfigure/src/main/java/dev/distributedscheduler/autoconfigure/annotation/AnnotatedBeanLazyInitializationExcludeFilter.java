package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.job.JobHandler;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationExcludeFilter;

/** Keeps beans with annotated methods eager in a lazily initialised application: nobody else would ever ask for them. */
public final class AnnotatedBeanLazyInitializationExcludeFilter implements LazyInitializationExcludeFilter {

    @Override
    public boolean isExcluded(String beanName, BeanDefinition beanDefinition, Class<?> beanType) {
        return JobHandler.class.isAssignableFrom(beanType)
                || !AnnotatedMethods.scheduled(beanType).isEmpty()
                || !AnnotatedMethods.jobs(beanType).isEmpty();
    }
}
