package dev.distributedscheduler.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the nodes of what a user has put in line, once it is committed: the workers of this JVM without a detour, all others
 * by NOTIFY.
 *
 * <p>The NOTIFY is not part of the user's transaction. Transactions that notify are committed one after the other, each with
 * its own flush of the log, and a few hundred a second would be all there is. So it follows the commit, and what is to be
 * told while one is on its way goes into the next. A JVM that dies in between has told nobody; then the others poll.
 */
public final class WakeUps implements Enqueuing.Tidings {

    /** Where this JVM's own node listens. */
    public interface Listener {

        void wake(WakeUp what, String detail);
    }

    private static final Logger log = LoggerFactory.getLogger(WakeUps.class);
    private static final Duration BETWEEN_NOTIFICATIONS = Duration.ofMillis(1);

    private final Database database;
    private final Executor sender = sender();
    private final Map<String, Integer> ready = new ConcurrentHashMap<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final AtomicBoolean sending = new AtomicBoolean();
    private volatile Listener local = (what, detail) -> {};

    public WakeUps(Database database) {
        this.database = database;
    }

    private static Executor sender() {
        ThreadPoolExecutor sender =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "scheduler-notifier");
                    thread.setDaemon(true);
                    return thread;
                });
        sender.allowCoreThreadTimeOut(true);
        return sender;
    }

    public void listenHere(Listener listener) {
        this.local = listener;
    }

    @Override
    public void tell(Map<String, Integer> readyByQueue, boolean leaderWanted) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) { // also when the outcome is unknown
                    tellNow(readyByQueue, leaderWanted);
                }
            });
        } else {
            tellNow(readyByQueue, leaderWanted);
        }
    }

    private void tellNow(Map<String, Integer> readyByQueue, boolean leaderWanted) {
        readyByQueue.forEach((queue, runs) -> {
            local.wake(WakeUp.MANY, runs + ":" + queue);
            ready.merge(queue, runs, Integer::sum);
        });
        if (leaderWanted) {
            local.wake(WakeUp.DUE, "");
            due.set(true);
        }
        send();
    }

    private void send() {
        if (sending.compareAndSet(false, true)) {
            sender.execute(() -> {
                try {
                    notifyOthers();
                } finally {
                    sending.set(false);
                }
                if (!ready.isEmpty() || due.get()) {
                    send();
                }
            });
        }
    }

    private void notifyOthers() {
        Map<String, Integer> taken = new HashMap<>();
        for (String queue : ready.keySet()) {
            Integer runs = ready.remove(queue);
            if (runs != null) {
                taken.put(queue, runs);
            }
        }
        try {
            notify(database, taken, due.getAndSet(false));
        } catch (RuntimeException unreachable) {
            log.debug("Others were not notified and will find out by polling", unreachable);
        }
        LockSupport.parkNanos(BETWEEN_NOTIFICATIONS.toNanos());
    }

    /** Part of the present transaction, if there is one. */
    static void notify(Database database, Map<String, Integer> readyByQueue, boolean leaderWanted) {
        List<String> messages = new ArrayList<>();
        readyByQueue.forEach((queue, runs) -> messages.add(WakeUp.MANY.payload() + runs + ":" + queue));
        if (leaderWanted) {
            messages.add(WakeUp.DUE.payload());
        }
        database.sql("select pg_notify(:channel, message) from unnest(:messages) message")
                .param("channel", database.channel())
                .param("messages", messages.toArray(String[]::new))
                .query()
                .listOfRows();
    }
}
