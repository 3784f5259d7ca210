package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.JobRegistry;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.Ordered;
import org.springframework.util.StringValueResolver;

/**
 * Collects the {@link DistributedScheduled} methods of the application's beans.
 *
 * <p>A bad declaration stops the application here, where bean, method and value are known.
 */
public final class DistributedScheduledBeanPostProcessor
        implements MergedBeanDefinitionPostProcessor, BeanFactoryAware, EmbeddedValueResolverAware, Ordered {

    private static final Logger log = LoggerFactory.getLogger(DistributedScheduledBeanPostProcessor.class);

    private final IntSupplier defaultMaxAttempts;
    private final Map<String, Declared> declared = new LinkedHashMap<>();
    private final Set<Class<?>> withoutAnnotation = ConcurrentHashMap.newKeySet();
    private StringValueResolver values = text -> text;
    private @Nullable BeanFactory beans;
    private boolean complete;

    private record Declared(Declaration declaration, String where) {}

    public DistributedScheduledBeanPostProcessor(IntSupplier defaultMaxAttempts) {
        this.defaultMaxAttempts = defaultMaxAttempts;
    }

    /** Only implemented because such post-processors come after all others: the proxies have been made by then. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {}

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void setEmbeddedValueResolver(StringValueResolver resolver) {
        this.values = resolver;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (bean instanceof AopInfrastructureBean || withoutAnnotation.contains(type)) {
            return bean;
        }
        Map<Method, Set<DistributedScheduled>> methods = AnnotatedMethods.of(type);
        if (methods.isEmpty()) {
            withoutAnnotation.add(type);
        }
        methods.forEach((method, annotations) ->
                annotations.forEach(annotation -> declare(bean, beanName, method, annotation)));
        return bean;
    }

    private synchronized void declare(Object bean, String beanName, Method method, DistributedScheduled annotation) {
        String where = "method %s.%s() of bean '%s'"
                .formatted(method.getDeclaringClass().getSimpleName(), method.getName(), beanName);
        if (complete) {
            log.warn("Ignored @DistributedScheduled on {}: the bean was made after the scheduler had started", where);
            return;
        }
        checkScope(beanName, where);
        Declaration declaration = new DeclarationReader(annotation, where, values)
                .read(beanName + "." + method.getName(), handler(bean, method, where), defaultMaxAttempts.getAsInt());
        Declared other = declared.putIfAbsent(declaration.job().name(), new Declared(declaration, where));
        if (other != null) {
            throw new SchedulerConfigurationException(
                    "Two jobs have the name '%s': %s, and %s"
                            .formatted(declaration.job().name(), other.where(), where),
                    "Give each @DistributedScheduled a name of its own.");
        }
    }

    private void checkScope(String beanName, String where) {
        if (beans != null && beans.containsBean(beanName) && !beans.isSingleton(beanName)) {
            throw new SchedulerConfigurationException(
                    "@DistributedScheduled on %s: the bean is not a singleton, so it is not clear which instance to call"
                            .formatted(where),
                    "Make the bean a singleton, or put the annotation on a singleton that uses it.");
        }
    }

    private static JobHandler handler(Object bean, Method method, String where) {
        try {
            return MethodJobHandler.of(bean, method);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new SchedulerConfigurationException(
                    "@DistributedScheduled on %s cannot be called: %s".formatted(where, refused.getMessage()),
                    "Declare a method that takes nothing or a JobContext, does its work before it returns, and is part"
                            + " of the bean's interface where the bean has a JDK proxy.",
                    refused);
        }
    }

    /** Everything that was declared; what comes later is too late. */
    public synchronized Declarations declarations() {
        complete = true;
        return new Declarations(
                new JobRegistry(declared.values().stream()
                        .map(d -> d.declaration().job())
                        .toList()),
                declared.values().stream().map(d -> d.declaration().schedule()).toList());
    }
}
