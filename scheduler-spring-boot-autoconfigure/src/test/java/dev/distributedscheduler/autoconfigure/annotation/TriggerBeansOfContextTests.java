package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.PeriodicTrigger;

/** Beans that say when, as the application's context has them. */
class TriggerBeansOfContextTests {

    private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");

    private final List<String> made = new ArrayList<>();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void beanIsMadeWhenItIsFirstAskedForATick() {
        register("lazy", 1, definition -> definition.setLazyInit(true));
        context.registerBean("monthly", Monthly.class);

        Declarations found = discover();

        assertThat(made).isEmpty();
        assertThat(found.schedules().get(0).timing().next(NOON)).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(made).containsExactly("lazy");
    }

    @Test
    void beanIsNotMadeBeforeThoseThatDeclareSchedules() {
        context.registerBean("monthly", Monthly.class, () -> {
            made.add("job");
            return new Monthly();
        });
        register("lazy", 1, definition -> {});

        discover();

        assertThat(made).containsExactly("job", "lazy");
    }

    @Test
    void allBeansAreThereForSchedulesThatAProgramRegisters() {
        register("hourly", 1, definition -> {});
        register("daily", 24, definition -> {});

        TriggerBeans beans = discover().triggers();

        assertThat(beans.beans()).containsOnlyKeys("hourly", "daily");
        assertThat(beans.get("daily").next(NOON)).isEqualTo(NOON.plus(Duration.ofDays(1)));
    }

    @Test
    void beansOfTheParentContextCount() {
        register("lazy", 1, definition -> {});
        context.refresh();
        try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(context);
            child.refresh();

            assertThat(TriggerBeansOfContext.find(child.getBeanFactory()).beans())
                    .containsOnlyKeys("lazy");
        }
    }

    @Test
    void missingBeanIsRefusedWithThoseThatThereAre() {
        register("hourly", 1, definition -> {});
        context.registerBean("monthly", Monthly.class);

        assertThatThrownBy(this::discover)
                .rootCause()
                .hasMessageContaining("method Monthly.work() of bean 'monthly'")
                .hasMessageContaining("trigger = \"lazy\"")
                .extracting("remedy")
                .asString()
                .contains("[hourly]");
    }

    private void register(String name, int hours, BeanDefinitionCustomizer more) {
        context.registerBean(
                name,
                Trigger.class,
                () -> {
                    made.add(name);
                    return new PeriodicTrigger(Duration.ofHours(hours));
                },
                more);
    }

    private Declarations discover() {
        context.registerBean(
                DistributedScheduledBeanPostProcessor.class,
                () -> new DistributedScheduledBeanPostProcessor(
                        () -> new DiscoverySettings(5, new NoPayloads(), Map.of())),
                definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
        context.refresh();
        return context.getBean(DistributedScheduledBeanPostProcessor.class).declarations();
    }

    static class Monthly {

        @DistributedScheduled(trigger = "lazy")
        void work() {}
    }
}
