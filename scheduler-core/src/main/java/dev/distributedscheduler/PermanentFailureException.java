package dev.distributedscheduler;

/** Thrown by a handler to say that trying again is of no use: the run becomes a dead letter at once. */
public class PermanentFailureException extends RuntimeException {

    public PermanentFailureException(String message) {
        super(message);
    }

    public PermanentFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
