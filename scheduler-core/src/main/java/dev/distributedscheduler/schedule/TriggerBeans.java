package dev.distributedscheduler.schedule;

import java.util.Map;

/** The triggers that are beans of the application on this node, by name. */
public record TriggerBeans(Map<String, org.springframework.scheduling.Trigger> beans) {

    public static final TriggerBeans NONE = new TriggerBeans(Map.of());

    public TriggerBeans {
        beans = Map.copyOf(beans);
    }

    public BeanTrigger get(String name) {
        org.springframework.scheduling.Trigger bean = beans.get(name);
        if (bean == null) {
            throw new IllegalArgumentException(
                    "There is no Trigger bean '%s' on this node, but %s".formatted(name, beans.keySet()));
        }
        return new BeanTrigger(name, bean);
    }
}
