package dev.distributedscheduler.benchmarks;

import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.contestant.Contestants;
import dev.distributedscheduler.benchmarks.measure.Measure;
import dev.distributedscheduler.benchmarks.measure.Measures;
import dev.distributedscheduler.benchmarks.measure.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says.
 *
 * @param url of a server that runs already; null to start one
 */
record Options(
        List<Measure> measures,
        List<Contestant> contestants,
        int repeats,
        Sizes sizes,
        @Nullable String url,
        String user,
        String password,
        Path out) {

    static final String USAGE = """
            benchmarks/run [option value]…
              --measures a,b       what to measure; the first part of a name stands for all that begin so (default: all)
              --contestants a,b    whom to measure, likewise (default: all)
              --repeats n          how often, in turn (default: 3)
              --scale x            multiplies the number of jobs (default: 1)
              --seconds n          how long measures with a duration go on (default: 10)
              --url jdbc:…         a PostgreSQL that runs already, with --user and --password (default: one is started)
              --out file           where the results go (default: RESULTS.md beside the script)
              --no-build           uses what was built before
            """;

    private static final List<String> KNOWN =
            List.of("measures", "contestants", "repeats", "scale", "seconds", "url", "user", "password", "out");

    static Options parse(String[] args) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            String name = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (!KNOWN.contains(name) || i + 1 == args.length) {
                throw new IllegalArgumentException("Not understood: %s%n%s".formatted(args[i], USAGE));
            }
            given.put(name, args[i + 1]);
        }
        return new Options(
                chosen(given.get("measures"), Measures.all(), Measure::name),
                chosen(given.get("contestants"), Contestants.all(), Contestant::name),
                Integer.parseInt(given.getOrDefault("repeats", "3")),
                new Sizes(
                        Double.parseDouble(given.getOrDefault("scale", "1")),
                        Integer.parseInt(given.getOrDefault("seconds", "10"))),
                given.get("url"),
                given.getOrDefault("user", "postgres"),
                given.getOrDefault("password", ""),
                Path.of(given.getOrDefault("out", "RESULTS.md")));
    }

    /** Those with one of the names; a name that nobody has stands for all that begin with it. */
    static <T> List<T> chosen(@Nullable String names, List<T> all, Function<T, String> name) {
        if (names == null) {
            return all;
        }
        List<T> chosen = new ArrayList<>();
        for (String wanted : names.split(",", -1)) {
            List<T> exact =
                    all.stream().filter(one -> name.apply(one).equals(wanted)).toList();
            List<T> found = exact.isEmpty()
                    ? all.stream()
                            .filter(one -> name.apply(one).startsWith(wanted + "-"))
                            .toList()
                    : exact;
            if (found.isEmpty()) {
                throw new IllegalArgumentException("There is no %s, only %s"
                        .formatted(
                                wanted, Arrays.toString(all.stream().map(name).toArray())));
            }
            chosen.addAll(found);
        }
        return chosen;
    }
}
