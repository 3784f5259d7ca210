package dev.distributedscheduler.worker;

import java.util.StringJoiner;

/** What a thread is doing, as text. */
final class Stacks {

    private Stacks() {}

    static String of(Thread thread) {
        StringJoiner lines =
                new StringJoiner("\n\tat ", "%s (%s)\n\tat ".formatted(thread.getName(), thread.getState()), "");
        for (StackTraceElement frame : thread.getStackTrace()) {
            lines.add(frame.toString());
        }
        return lines.toString();
    }
}
