package dev.distributedscheduler.autoconfigure.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of docs/operations/meters.md. */
final class MetersTable {

    private static final Pattern ROW =
            Pattern.compile("\\| `(scheduler[a-z.]*)` \\| (gauge|counter|timer) \\| ([^|]+) \\| ([^|]*)\\|.*");
    private static final Pattern TAG = Pattern.compile("`([a-z.]+)`");

    private MetersTable() {}

    record Documented(String type, String unit, Set<String> tags) {}

    static Path operations() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("docs/operations"))) {
            directory = directory.getParent();
        }
        return directory.resolve("docs/operations");
    }

    static String read(String file) throws IOException {
        return Files.readString(operations().resolve(file));
    }

    static Map<String, Documented> read() throws IOException {
        Map<String, Documented> meters = new TreeMap<>();
        read("meters.md").lines().forEach(line -> {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Set<String> tags = new TreeSet<>();
                TAG.matcher(row.group(4)).results().forEach(tag -> tags.add(tag.group(1)));
                meters.put(
                        row.group(1), new Documented(row.group(2), row.group(3).trim(), tags));
            }
        });
        return meters;
    }

    /** What Prometheus calls it: all series that come of the meters. */
    static Set<String> series() throws IOException {
        Set<String> series = new TreeSet<>();
        read().forEach((name, meter) -> {
            String base = name.replace('.', '_');
            switch (meter.type()) {
                case "counter" -> series.add(base + "_total");
                case "gauge" -> series.add(meter.unit().equals("seconds") ? base + "_seconds" : base);
                default -> {
                    series.add(base + "_seconds_count");
                    series.add(base + "_seconds_sum");
                    series.add(base + "_seconds_max");
                }
            }
        });
        return series;
    }
}
