package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Declaration;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Surroundings;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringValueResolver;

/**
 * Collects the jobs of the application's beans: {@link DistributedScheduled} and {@link DistributedJob} methods, and
 * {@link JobHandler} beans.
 *
 * <p>A bad declaration stops the application here, where bean, method and value are known.
 */
public final class DistributedScheduledBeanPostProcessor
        implements MergedBeanDefinitionPostProcessor, BeanFactoryAware, EmbeddedValueResolverAware, Ordered {

    private final Supplier<DiscoverySettings> settings;
    private final DeclaredJobs declared = new DeclaredJobs();
    private final Set<Class<?>> withoutJobs = ConcurrentHashMap.newKeySet();
    private StringValueResolver values = text -> text;
    private @Nullable BeanFactory beans;
    private volatile @Nullable TriggerBeans triggers;

    public DistributedScheduledBeanPostProcessor(Supplier<DiscoverySettings> settings) {
        this.settings = settings;
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
        if (bean instanceof AopInfrastructureBean || withoutJobs.contains(type)) {
            return bean;
        }
        Map<Method, Set<DistributedScheduled>> scheduled = AnnotatedMethods.scheduled(type);
        Map<Method, DistributedJob> jobs = AnnotatedMethods.jobs(type);
        if (scheduled.isEmpty() && jobs.isEmpty() && !(bean instanceof JobHandler<?>)) {
            withoutJobs.add(type);
            return bean;
        }
        checkScope(beanName);
        DeclarationReader reader = new DeclarationReader(
                bean, beanName, type, settings.get(), new Surroundings(values, this::retryPolicy, this::triggers));
        List<Declaration> found = new ArrayList<>();
        scheduled.forEach(
                (method, annotations) -> annotations.forEach(annotation -> found.add(reader.read(method, annotation))));
        jobs.forEach((method, annotation) -> found.add(reader.read(method, annotation)));
        if (bean instanceof JobHandler<?> handler) {
            found.add(reader.read(handler, AnnotatedElementUtils.getMergedAnnotation(type, DistributedJob.class)));
        }
        found.forEach(declared::add);
        return bean;
    }

    private RetryPolicy retryPolicy(String bean) {
        if (beans == null || !beans.containsBean(bean) || !beans.isTypeMatch(bean, RetryPolicy.class)) {
            throw new IllegalArgumentException("there is no RetryPolicy bean '%s'".formatted(bean));
        }
        return beans.getBean(bean, RetryPolicy.class);
    }

    private void checkScope(String beanName) {
        if (beans != null && beans.containsBean(beanName) && !beans.isSingleton(beanName)) {
            throw new SchedulerConfigurationException(
                    "Bean '%s' has jobs but is not a singleton, so it is not clear which instance to call"
                            .formatted(beanName),
                    "Make the bean a singleton, or declare the jobs on a singleton that uses it.");
        }
    }

    /** Everything that was declared; what comes later is too late. */
    public Declarations declarations() {
        TriggerBeans found = TriggerBeansOfContext.find(beans);
        triggers = found;
        return declared.complete(settings.get().jobs().keySet(), found);
    }

    /** The beans that schedules may name as their triggers; none of them is made for that. */
    public TriggerBeans triggers() {
        TriggerBeans found = triggers;
        return found == null ? TriggerBeansOfContext.find(beans) : found;
    }
}
