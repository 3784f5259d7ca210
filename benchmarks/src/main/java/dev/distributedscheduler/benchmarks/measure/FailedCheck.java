package dev.distributedscheduler.benchmarks.measure;

/** The figures of a trial are worthless, because the contestant did not do the work. */
public final class FailedCheck extends RuntimeException {

    FailedCheck(String message) {
        super(message);
    }
}
