package dev.distributedscheduler.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown with aligned columns. */
final class Table {

    private final List<String[]> rows = new ArrayList<>();

    Table(String... heading) {
        rows.add(heading);
    }

    void add(String... cells) {
        rows.add(cells);
    }

    @Override
    public String toString() {
        int[] widths = IntStream.range(0, rows.get(0).length)
                .map(column -> rows.stream()
                        .mapToInt(row -> row[column].length())
                        .max()
                        .orElse(0))
                .toArray();
        List<String> lines = new ArrayList<>();
        rows.forEach(row -> lines.add(line(row, widths)));
        lines.add(1, Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.joining(" | ", "| ", " |")));
        return String.join("\n", lines);
    }

    private static String line(String[] row, int[] widths) {
        return IntStream.range(0, row.length)
                .mapToObj(column -> row[column] + " ".repeat(widths[column] - row[column].length()))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }
}
