package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.PermanentFailureException;
import java.util.ArrayList;
import java.util.List;

/** Jobs that do what no job should, and one that looks at its payload. */
public final class Troubled {

    private static final int CHUNK = 16 << 20;
    private static final int LONG_MESSAGE = 10_000_000;

    private final LedgerFile ledger;
    private final GoSign go;

    Troubled(LedgerFile ledger, GoSign go) {
        this.ledger = ledger;
        this.go = go;
    }

    /** How a handler can fail. */
    public enum Trouble {
        OUT_OF_MEMORY,
        STACK_OVERFLOW,
        ERROR,
        LONG_MESSAGE,
        UNPRINTABLE
    }

    @DistributedJob(name = "troubled", maxAttempts = 1)
    void fail(Trouble trouble, JobContext context) {
        ledger.record(context, () -> {
            switch (trouble) {
                case OUT_OF_MEMORY -> hoard();
                case STACK_OVERFLOW -> descend(0);
                case ERROR -> throw new NoClassDefFoundError("faults/app/Missing");
                case LONG_MESSAGE -> throw new IllegalStateException("\u0000\uD800" + "x".repeat(LONG_MESSAGE));
                case UNPRINTABLE -> throw new Unprintable();
            }
        });
    }

    private static void hoard() {
        List<byte[]> all = new ArrayList<>();
        while (all.size() < Integer.MAX_VALUE) {
            all.add(new byte[CHUNK]);
        }
    }

    private static int descend(int depth) {
        return depth < 0 ? depth : descend(depth + 1) + descend(depth + 2);
    }

    private static final class Unprintable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("There is no message");
        }
    }

    /** Hears no interrupt, until the test lets it end. */
    @DistributedJob(name = "deaf", maxAttempts = 1, timeout = "500ms")
    void ignoreInterrupts(JobContext context) {
        ledger.record(context, () -> {
            while (!go.isGiven(context)) {
                go.await(context);
                boolean unused = Thread.interrupted();
            }
        });
    }

    /** A text that says how long it is. */
    public record Measured(int length, String text) {}

    @DistributedJob("measured")
    void measure(Measured measured, JobContext context) {
        ledger.record(context, () -> {
            if (measured.text().length() != measured.length()) {
                throw new PermanentFailureException("The payload has changed on its way");
            }
        });
    }
}
