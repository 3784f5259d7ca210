package dev.distributedscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reading order in {@code docs/README.md} names nine files that exist and are short. */
class ReadingOrderTests {

    private static final int MOST_LINES = 1_200;
    private static final Pattern ROW = Pattern.compile("\\| \\d \\| \\[`(\\w+)`]\\(([^)]+)\\)");

    private final Path docs = BuildParityTests.ROOT.resolve("docs");

    @Test
    void nineFilesExistAndAreShort() throws IOException {
        List<Path> files =
                rows().stream().map(row -> docs.resolve(row.group(2))).toList();

        assertThat(files).hasSize(9).allSatisfy(file -> assertThat(file).isRegularFile());
        long lines = 0;
        for (Path file : files) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(lines).isLessThanOrEqualTo(MOST_LINES);
    }

    @Test
    void namesAreThoseOfTheFiles() throws IOException {
        assertThat(rows()).allSatisfy(row -> assertThat(row.group(2)).endsWith("/" + row.group(1) + ".java"));
    }

    private List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(docs.resolve("README.md")))
                .results()
                .toList();
    }
}
