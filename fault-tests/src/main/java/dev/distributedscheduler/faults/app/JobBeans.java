package dev.distributedscheduler.faults.app;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/**
 * The jobs of a replica: {@code faults.jobs} of them every second (20 by default), one every {@code faults.often} and one
 * that takes {@code faults.slow}, where those are given; and those whose runs the test enqueues.
 */
final class JobBeans implements BeanRegistrar {

    private static final int DEFAULT_JOBS = 20;

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        int jobs = environment.getProperty("faults.jobs", Integer.class, DEFAULT_JOBS);
        for (int number = 1; number <= jobs; number++) {
            registry.registerBean("second-%02d".formatted(number), EverySecond.class);
        }
        if (environment.containsProperty("faults.often")) {
            registry.registerBean("often", Often.class);
        }
        if (environment.containsProperty("faults.slow")) {
            registry.registerBean("slow", Slow.class);
        }
        registry.registerBean("goSign", GoSign.class);
        registry.registerBean("enqueued", Enqueued.class);
        registry.registerBean("effects", Effects.class);
        registry.registerBean("troubled", Troubled.class);
    }
}
