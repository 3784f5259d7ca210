package dev.distributedscheduler.faults;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Commands of the machine. */
final class Shell {

    private Shell() {}

    /** Runs a command to its end, which must be a success. */
    static void run(List<String> command) {
        if (!succeeds(command)) {
            throw new AssertionError("Failed: " + String.join(" ", command));
        }
    }

    /** Whether a command can be run and ends well. */
    static boolean succeeds(List<String> command) {
        try {
            Path output = Files.createTempFile("faults", ".out"); // a pipe would be inherited by what it starts
            try {
                return new ProcessBuilder(command)
                                .redirectErrorStream(true)
                                .redirectOutput(Redirect.to(output.toFile()))
                                .start()
                                .waitFor()
                        == 0;
            } finally {
                Files.delete(output);
            }
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", stopWaiting);
        }
    }
}
