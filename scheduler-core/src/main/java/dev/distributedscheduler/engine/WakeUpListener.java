package dev.distributedscheduler.engine;

import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.store.Notifications;
import dev.distributedscheduler.store.WakeUp;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on what other nodes notify.
 *
 * <p>Whatever happened while it was not listening is made up for by waking everybody when it begins. Behind a transaction
 * pooler, where LISTEN reaches nobody, it says so once and leaves the field to polling.
 */
final class WakeUpListener {

    private static final Logger log = LoggerFactory.getLogger(WakeUpListener.class);
    private static final Duration BETWEEN_PROOFS_OF_LIFE = Duration.ofSeconds(20);
    private static final Duration BETWEEN_LOOKS_BEHIND_A_POOLER = Duration.ofMinutes(10);

    private final Notifications notifications;
    private final BiConsumer<WakeUp, String> wake;
    private final Loop loop = new Loop("scheduler-listener", this::round);
    private boolean toldOfPooler;
    private volatile ListenerState state = ListenerState.CONNECTING;

    /** @param wake is given what was notified, and the rest of the message */
    WakeUpListener(Notifications notifications, BiConsumer<WakeUp, String> wake) {
        this.notifications = notifications;
        this.wake = wake;
    }

    void start() {
        loop.start();
    }

    ListenerState state() {
        return state;
    }

    private Duration round() throws Exception {
        try {
            return listen();
        } catch (Exception broken) {
            state = ListenerState.CONNECTING;
            throw broken;
        }
    }

    private Duration listen() throws Exception {
        if (!notifications.canListen()) {
            state = ListenerState.POLLING;
            if (!toldOfPooler) {
                log.info("The database is behind a transaction pooler: nodes poll instead of notifying each other");
                toldOfPooler = true;
            }
            notifications.close();
            return BETWEEN_LOOKS_BEHIND_A_POOLER;
        }
        if (notifications.listen()) {
            wake.accept(WakeUp.ALL, "");
        }
        state = ListenerState.LISTENING;
        for (String payload : notifications.await(BETWEEN_PROOFS_OF_LIFE)) {
            for (WakeUp what : WakeUp.values()) {
                if (payload.startsWith(what.payload())) {
                    wake.accept(what, payload.substring(what.payload().length()));
                }
            }
        }
        return Duration.ZERO;
    }

    void close() {
        loop.closing();
        notifications.close();
        loop.close(Duration.ofSeconds(1));
        notifications.close(); // the round under way may have been about to connect
    }
}
