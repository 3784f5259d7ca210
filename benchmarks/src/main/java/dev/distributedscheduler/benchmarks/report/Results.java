package dev.distributedscheduler.benchmarks.report;

import dev.distributedscheduler.benchmarks.contestant.Contestants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of all repeats, and what went wrong. */
public final class Results {

    private final Map<Row, Map<String, List<Double>>> rows = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    /** One line of figures: what was counted in which measure. */
    private record Row(String measure, Figure figure) {}

    public void add(String measure, String contestant, Figure figure, double value) {
        rows.computeIfAbsent(new Row(measure, figure), row -> new LinkedHashMap<>())
                .computeIfAbsent(contestant, name -> new ArrayList<>())
                .add(value);
    }

    /** Something that makes figures worthless: a lost job, one executed twice, a node that broke. */
    public void fail(String measure, String contestant, String what) {
        failures.add("%s, %s: %s".formatted(measure, contestant, what));
    }

    public boolean isFailed() {
        return !failures.isEmpty();
    }

    /** A table in Markdown, which reads well on a terminal too. */
    public String table() {
        Table table = new Table("measure", "figure", "contestant", "min", "median", "max", "ours is", "repeats");
        rows.forEach((row, values) -> values.forEach((contestant, repeats) -> table.add(
                row.measure(),
                "%s (%s)".formatted(row.figure().name(), row.figure().unit()),
                contestant,
                number(Collections.min(repeats)),
                number(median(repeats)),
                number(Collections.max(repeats)),
                ratio(row, contestant),
                String.join(" · ", repeats.stream().map(Results::number).toList()))));
        return table.toString();
    }

    /** How many times better our median is. */
    private String ratio(Row row, String contestant) {
        Map<String, List<Double>> values = rows.getOrDefault(row, Map.of());
        List<Double> ours = values.get(Contestants.OURS);
        if (ours == null || contestant.equals(Contestants.OURS)) {
            return "";
        }
        double times = row.figure().timesBetter(median(ours), median(values.getOrDefault(contestant, List.of())));
        return Double.isFinite(times) ? String.format(Locale.ROOT, "%.2f×", times) : "–";
    }

    public String failures() {
        return failures.isEmpty()
                ? "None: every job was executed once and recorded."
                : "- " + String.join("\n- ", failures);
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String number(double value) {
        double size = Math.abs(value);
        String form = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
