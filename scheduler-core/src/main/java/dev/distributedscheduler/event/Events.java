package dev.distributedscheduler.event;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events on to all listeners; none of them can harm the engine or another listener. */
public final class Events implements SchedulerListener {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final List<SchedulerListener> listeners;

    public Events(List<SchedulerListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void onEvent(SchedulerEvent event) {
        for (SchedulerListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (Throwable failure) {
                tell(listener, failure);
            }
        }
    }

    private static void tell(SchedulerListener listener, Throwable failure) {
        String name = listener.getClass().getName();
        try {
            log.warn("Listener {} failed", name, failure);
        } catch (Throwable unprintable) {
            log.warn("Listener {} failed with {}", name, failure.getClass().getName());
        }
    }
}
