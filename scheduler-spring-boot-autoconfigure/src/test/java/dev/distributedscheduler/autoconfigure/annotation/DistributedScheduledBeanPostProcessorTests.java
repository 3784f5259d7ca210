package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.mock.env.MockPropertySource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.StringUtils;

class DistributedScheduledBeanPostProcessorTests {

    private static final List<String> calls = new ArrayList<>();

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
        calls.clear();
    }

    @Test
    void privateMethodOfAPlainBeanIsCalled() throws Exception {
        run(discover(Plain.class), "plain.tidy");

        assertThat(calls).containsExactly("tidy");
    }

    @Test
    void repeatedAnnotationsAreJobsOfTheirOwn() {
        assertThat(discover(Repeated.class).jobs().names()).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void ownAnnotationsMayCarryIt() {
        Declarations found = discover(Meta.class);

        assertThat(found.jobs().names()).containsExactly("meta");
        assertThat(found.schedules().get(0).timing().trigger()).isEqualTo(new FixedRateTrigger(Duration.ofSeconds(1)));
    }

    @Test
    void placeholdersAndExpressionsAreResolved() {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MockPropertySource().withProperty("region", "eu").withProperty("seconds", "3"));

        Declarations found = discover(Expressions.class);

        assertThat(found.jobs().names()).containsExactly("eu-sync");
        assertThat(found.schedules().get(0).timing().trigger()).isEqualTo(new FixedRateTrigger(Duration.ofSeconds(6)));
    }

    @Test
    void classProxyIsCalledThroughItsAdvice() throws Exception {
        proxied(true);

        run(discover(Proxied.class), "proxied.work");

        assertThat(calls).containsExactly("advice", "work");
    }

    @Test
    void interfaceProxyIsCalledThroughItsAdvice() throws Exception {
        proxied(false);

        run(discover(Proxied.class), "proxied.work");

        assertThat(calls).containsExactly("advice", "work");
    }

    @Test
    void methodThatAnInterfaceProxyHidesIsRefused() {
        proxied(false);

        assertThatThrownBy(() -> discover(Hidden.class))
                .rootCause()
                .hasMessageContaining("hidden")
                .hasMessageContaining("exposed");
    }

    @Test
    void inheritedMethodIsFound() throws Exception {
        run(discover(Child.class), "child.tidy");

        assertThat(calls).containsExactly("tidy");
    }

    @Test
    void twoJobsOfOneNameAreRefusedWithBothPlaces() {
        assertThatThrownBy(() -> discover(Repeated.class, Clash.class))
                .hasRootCauseInstanceOf(SchedulerConfigurationException.class)
                .rootCause()
                .hasMessageContaining("Two jobs have the name 'first'")
                .hasMessageContaining("Repeated.twice() of bean 'repeated'")
                .hasMessageContaining("Clash.clash() of bean 'clash'");
    }

    @Test
    void otherParametersAreRefused() {
        assertRefused(WrongParameter.class, "WrongParameter.work() of bean 'wrongParameter'", "JobContext");
    }

    @Test
    void asynchronousMethodsAreRefused() {
        assertRefused(Future.class, "Future.work()", "before its work is done");
        assertRefused(Asynchronous.class, "Asynchronous.work()", "before its work is done");
    }

    @Test
    void prototypeBeanIsRefused() {
        context.registerBeanDefinition(
                "prototype",
                BeanDefinitionBuilder.rootBeanDefinition(Plain.class)
                        .setScope("prototype")
                        .getBeanDefinition());
        discover();

        assertThatThrownBy(() -> context.getBean("prototype")).rootCause().hasMessageContaining("not a singleton");
    }

    private void assertRefused(Class<?> bean, String... parts) {
        try (AnnotationConfigApplicationContext other = new AnnotationConfigApplicationContext()) {
            other.registerBean(DistributedScheduledBeanPostProcessor.class, () -> processor());
            other.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
            assertThatThrownBy(other::refresh)
                    .satisfies(failure -> assertThat(
                                    configurationException(failure).getMessage())
                            .contains(parts));
        }
    }

    private static Throwable configurationException(Throwable failure) {
        Throwable each = failure;
        while (!(each instanceof SchedulerConfigurationException)) {
            each = each.getCause();
        }
        return each;
    }

    private static DistributedScheduledBeanPostProcessor processor() {
        return new DistributedScheduledBeanPostProcessor(() -> new DiscoverySettings(5, new NoPayloads(), Map.of()));
    }

    private Declarations discover(Class<?>... beans) {
        context.registerBean(DistributedScheduledBeanPostProcessor.class, () -> processor());
        for (Class<?> bean : beans) {
            context.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
        }
        context.refresh();
        return beans.length == 0
                ? null
                : context.getBean(DistributedScheduledBeanPostProcessor.class).declarations();
    }

    private void proxied(boolean classProxy) {
        context.registerBean("proxying", BeanPostProcessor.class, () -> new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                if (!(bean instanceof Work)) {
                    return bean;
                }
                ProxyFactory factory = new ProxyFactory(bean);
                factory.setProxyTargetClass(classProxy);
                factory.addAdvice((MethodInterceptor) invocation -> {
                    calls.add("advice");
                    return invocation.proceed();
                });
                return factory.getProxy();
            }
        });
    }

    private static void run(Declarations found, String job) throws Exception {
        found.jobs().get(job).handler().run(null, null);
    }

    static class Plain {

        @SuppressWarnings("unused")
        @DistributedScheduled(fixedRate = 1000)
        private void tidy() {
            calls.add("tidy");
        }
    }

    static class Child extends Plain {}

    static class Repeated {

        @DistributedScheduled(name = "first", cron = "@daily")
        @DistributedScheduled(name = "second", cron = "@hourly")
        void twice() {}
    }

    static class Clash {

        @DistributedScheduled(name = "first", cron = "@daily")
        void clash(JobContext context) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedScheduled(fixedRate = 1000)
    @interface EverySecond {

        @AliasFor(annotation = DistributedScheduled.class)
        String name();
    }

    static class Meta {

        @EverySecond(name = "meta")
        void work() {}
    }

    static class Expressions {

        @DistributedScheduled(name = "${region}-sync", fixedRateString = "#{${seconds} * 2000}")
        void work() {}
    }

    interface Work {

        void work();
    }

    static class Proxied implements Work {

        @Override
        @DistributedScheduled(cron = "@daily")
        public void work() {
            calls.add("work");
        }
    }

    static class Hidden implements Work {

        @Override
        public void work() {}

        @DistributedScheduled(cron = "@daily")
        public void hidden() {}
    }

    static class WrongParameter {

        @DistributedScheduled(cron = "@daily")
        void work(String text) {}
    }

    static class Future {

        @DistributedScheduled(cron = "@daily")
        CompletableFuture<Void> work() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Asynchronous {

        @Async
        @DistributedScheduled(cron = "@daily")
        void work() {}
    }
}
