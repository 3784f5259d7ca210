package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Declaration;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Surroundings;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.mock.env.MockEnvironment;

/** Reads the declarations of a bean called 'bean', whose methods are those of an interface. */
final class Reading {

    final MockEnvironment environment = new MockEnvironment();
    final Map<String, RetryPolicy> retryBeans = new HashMap<>();
    final Map<String, org.springframework.scheduling.Trigger> triggerBeans = new HashMap<>();
    private final MapConfigurationPropertySource configuration = new MapConfigurationPropertySource();
    private final Class<?> type;

    Reading(Class<?> type) {
        this.type = type;
    }

    /** As in an application's configuration. */
    Reading configured(String property, String value) {
        configuration.put("distributed-scheduler.jobs." + property, value);
        return this;
    }

    Declaration read(String method) {
        Method declared = method(method);
        DistributedJob job = AnnotatedElementUtils.getMergedAnnotation(declared, DistributedJob.class);
        return job == null
                ? reader().read(
                                declared,
                                AnnotatedElementUtils.getMergedAnnotation(declared, DistributedScheduled.class))
                : reader().read(declared, job);
    }

    Trigger trigger(String method) {
        return read(method).schedule().timing().trigger();
    }

    void refused(String method, String problem, String remedy) {
        assertThatExceptionOfType(SchedulerConfigurationException.class)
                .isThrownBy(() -> read(method))
                .withMessageContaining("method %s.%s() of bean 'bean'".formatted(type.getSimpleName(), method))
                .withMessageContaining(problem)
                .satisfies(refused -> assertThat(refused.remedy()).contains(remedy));
    }

    private DeclarationReader reader() {
        Map<String, JobOverrides> overrides = new Binder(configuration)
                .bind("distributed-scheduler.jobs", Bindable.mapOf(String.class, JobOverrides.class))
                .orElse(Map.of());
        return new DeclarationReader(
                Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null),
                "bean",
                type,
                new DiscoverySettings(5, new NoPayloads(), overrides),
                new Surroundings(
                        environment::resolveRequiredPlaceholders,
                        retryBeans::get,
                        () -> new TriggerBeans(triggerBeans)));
    }

    private Method method(String name) {
        try {
            return type.getDeclaredMethod(name);
        } catch (NoSuchMethodException missing) {
            throw new IllegalArgumentException(missing);
        }
    }
}
