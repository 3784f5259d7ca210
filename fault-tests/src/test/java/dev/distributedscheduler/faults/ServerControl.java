package dev.distributedscheduler.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stops and starts the embedded server, on its port and with its options. */
final class ServerControl {

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

    /** How it stops. */
    enum Stop {
        /** In order: sessions are cut, and everything is on disk. */
        FAST,
        /** As if it had crashed: the log is replayed at the next start. */
        IMMEDIATE
    }

    private final Path data;
    private final Path pgCtl;
    private final String options;

    ServerControl(JdbcClient sql) {
        this.data = Path.of(sql.sql("show data_directory").query(String.class).single());
        try {
            String command = Files.readString(data.resolve("postmaster.opts"));
            this.pgCtl = Path.of(command.substring(0, command.indexOf(" \""))).resolveSibling("pg_ctl");
            this.options = options(command);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String options(String command) {
        List<String> options = new ArrayList<>();
        for (Matcher quoted = QUOTED.matcher(command); quoted.find(); ) {
            options.add("'" + quoted.group(1) + "'");
        }
        return String.join(" ", options);
    }

    void stop(Stop how) {
        run("-m", how.name().toLowerCase(Locale.ROOT), "stop");
    }

    void start() {
        run("-l", data.resolve("restarted.log").toString(), "-o", options, "start");
    }

    private void run(String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to be run by root
        }
        command.addAll(List.of(pgCtl.toString(), "-D", data.toString(), "-w"));
        command.addAll(List.of(arguments));
        Shell.run(command);
    }
}
