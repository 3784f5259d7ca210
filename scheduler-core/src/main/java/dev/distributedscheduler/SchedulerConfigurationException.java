package dev.distributedscheduler;

/** A declaration, a setting or a database that the scheduler cannot work with; says what is wrong and what to do. */
public class SchedulerConfigurationException extends RuntimeException {

    private final String remedy;

    public SchedulerConfigurationException(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    public SchedulerConfigurationException(String problem, String remedy, Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    /** What to change, as a sentence. */
    public String remedy() {
        return remedy;
    }
}
