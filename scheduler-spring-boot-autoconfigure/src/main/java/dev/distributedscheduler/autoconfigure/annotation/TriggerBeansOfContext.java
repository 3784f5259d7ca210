package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.schedule.TriggerBeans;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.scheduling.Trigger;

/** Finds the application's beans of type {@link Trigger} without making them: each is made when first asked for a tick. */
final class TriggerBeansOfContext {

    private TriggerBeansOfContext() {}

    static TriggerBeans find(@Nullable BeanFactory beans) {
        if (!(beans instanceof ListableBeanFactory listable)) {
            return TriggerBeans.NONE;
        }
        Map<String, Trigger> found = new HashMap<>();
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, Trigger.class, true, false)) {
            found.put(name, context -> listable.getBean(name, Trigger.class).nextExecution(context));
        }
        return new TriggerBeans(found);
    }
}
