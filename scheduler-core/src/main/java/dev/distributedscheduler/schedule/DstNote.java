package dev.distributedscheduler.schedule;

/** Why a cron tick is not simply the instant at which the clock shows its time; for previews. */
public enum DstNote {
    MOVED_OUT_OF_GAP("The clock skips the scheduled time; the tick is at the end of the gap."),
    FIRST_OF_TWO("The clock shows this time twice; the tick is at the first."),
    SECOND_OF_TWO("The clock shows this time twice; the tick is at the second.");

    private final String sentence;

    DstNote(String sentence) {
        this.sentence = sentence;
    }

    /** The note for a human reader. */
    public String sentence() {
        return sentence;
    }
}
