package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.PayloadReader;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringValueResolver;

/** Turns what is declared on one bean into jobs and schedules. */
final class DeclarationReader {

    private final Object bean;
    private final String beanName;
    private final Class<?> type;
    private final DiscoverySettings settings;
    private final Surroundings surroundings;

    /** What declarations may refer to. */
    record Surroundings(
            StringValueResolver values,
            Function<String, RetryPolicy> retryBeans,
            Supplier<TriggerBeans> triggerBeans) {}

    /** A job, the schedule that came with it, if any, and where both stand. */
    record Declaration(JobDefinition job, @Nullable Schedule schedule, String where) {}

    /** @param type of the bean behind its proxies */
    DeclarationReader(
            Object bean, String beanName, Class<?> type, DiscoverySettings settings, Surroundings surroundings) {
        this.bean = bean;
        this.beanName = beanName;
        this.type = type;
        this.settings = settings;
        this.surroundings = surroundings;
    }

    Declaration read(Method method, DistributedScheduled annotation) {
        Attributes attributes = attributes("@DistributedScheduled on " + where(method));
        String name = attributes.text("name", annotation.name(), beanName + "." + method.getName());
        MethodJobHandler handler = handler(method, attributes);
        if (handler.payloadType() != null) {
            throw attributes.refuse(
                    "cannot be called: it takes parameters other than a single JobContext",
                    "Remove them; a schedule made by an annotation has no payload.",
                    null);
        }
        JobPolicy policy = policies(attributes).read(name, annotation);
        JobDefinition job = define(name, Set.of(), null, handler, attributes).with(policy);
        ScheduledMethod scheduled = new ScheduledMethod(name, annotation, overrides(name), attributes);
        Schedule schedule = new ScheduleReader(scheduled, surroundings.triggerBeans()).read(policy);
        return new Declaration(job, schedule, attributes.where());
    }

    Declaration read(Method method, DistributedJob annotation) {
        Attributes attributes = attributes("@DistributedJob on " + where(method));
        String name = attributes.text("name", annotation.name(), beanName + "." + method.getName());
        MethodJobHandler handler = handler(method, attributes);
        JobPolicy policy = policies(attributes).read(name, annotation);
        JobDefinition job = define(name, aliases(annotation, attributes), handler.payloadType(), handler, attributes)
                .with(policy);
        return withoutSchedule(job, attributes);
    }

    /** A bean that is a handler itself. */
    Declaration read(JobHandler<?> handler, @Nullable DistributedJob annotation) {
        Attributes attributes = attributes("JobHandler bean '%s'".formatted(beanName));
        ResolvableType payload =
                ResolvableType.forClass(type).as(JobHandler.class).getGeneric(0);
        if (payload.resolve() == null) {
            throw attributes.refuse(
                    "its payload's type cannot be told",
                    "Make it a class that implements JobHandler<YourPayload>, or use a method with @DistributedJob.",
                    null);
        }
        if (annotation == null) {
            JobPolicy policy = policies(attributes).read(beanName);
            JobDefinition job = define(beanName, Set.of(), payload.getType(), handler, attributes)
                    .with(policy);
            return withoutSchedule(job, attributes);
        }
        String name = attributes.text("name", annotation.name(), beanName);
        JobPolicy policy = policies(attributes).read(name, annotation);
        JobDefinition job = define(name, aliases(annotation, attributes), payload.getType(), handler, attributes)
                .with(policy);
        return withoutSchedule(job, attributes);
    }

    private Declaration withoutSchedule(JobDefinition job, Attributes attributes) {
        List<String> given = overrides(job.name()).ofTheSchedule();
        if (!given.isEmpty()) {
            throw attributes.refuse(
                    "%s is set, but the job has no schedule of its own"
                            .formatted(JobOverrides.property(job.name(), given.get(0))),
                    "Remove it, or declare the job with @DistributedScheduled.",
                    null);
        }
        return new Declaration(job, null, attributes.where());
    }

    private JobOverrides overrides(String job) {
        return settings.jobs().getOrDefault(job, JobOverrides.NONE);
    }

    private JobDefinition define(
            String name, Set<String> aliases, @Nullable Type payload, JobHandler<?> handler, Attributes attributes) {
        try {
            PayloadReader reader =
                    payload == null ? PayloadReader.NONE : settings.payloads().reader(payload);
            return new JobDefinition(name, aliases, reader, handler, JobPolicy.DEFAULT);
        } catch (IllegalArgumentException refused) {
            throw attributes.refuse("is not valid: " + refused.getMessage(), "Change that attribute.", refused);
        }
    }

    private MethodJobHandler handler(Method method, Attributes attributes) {
        try {
            return MethodJobHandler.of(bean, type, method);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw attributes.refuse(
                    "cannot be called: " + refused.getMessage(),
                    "Declare a method that does its work before it returns, takes at most a payload and a JobContext, and"
                            + " is part of the bean's interface where the bean has a JDK proxy.",
                    refused);
        }
    }

    private static Set<String> aliases(DistributedJob annotation, Attributes attributes) {
        Set<String> aliases = new LinkedHashSet<>();
        Arrays.stream(annotation.aliases()).forEach(alias -> aliases.add(attributes.text("aliases", alias)));
        return aliases;
    }

    private String where(Method method) {
        return "method %s.%s() of bean '%s'"
                .formatted(method.getDeclaringClass().getSimpleName(), method.getName(), beanName);
    }

    private Attributes attributes(String where) {
        return new Attributes(where, surroundings.values());
    }

    private PolicyReader policies(Attributes attributes) {
        return new PolicyReader(attributes, settings.maxAttempts(), settings.jobs(), surroundings.retryBeans());
    }
}
