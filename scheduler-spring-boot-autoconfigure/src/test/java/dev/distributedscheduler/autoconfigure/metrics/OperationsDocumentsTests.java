package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules, dashboard, runbook and scrape say nothing that the table of the meters does not. */
class OperationsDocumentsTests {

    private static final Pattern SERIES = Pattern.compile("\\bscheduler_[a-z_]+");
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        pattern.matcher(text)
                .results()
                .forEach(match -> found.add(match.groupCount() == 0 ? match.group() : match.group(1)));
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"alerts.yml", "alerts-tests.yml", "dashboard.json", "runbook.md"})
    void everySeriesIsOfADocumentedMeter(String file) throws IOException {
        assertThat(found(SERIES, MetersTable.read(file))).isNotEmpty().isSubsetOf(MetersTable.series());
    }

    @Test
    void everyDocumentedMeterIsInTheScrape() throws IOException {
        assertThat(found(SERIES, MetersTable.read("scrape.txt"))).containsAll(MetersTable.series());
    }

    @Test
    void everyAlertIsTestedAndHasItsParagraph() throws IOException {
        Set<String> alerts = found(ALERT, MetersTable.read("alerts.yml"));

        assertThat(found(Pattern.compile("alertname: (\\w+)"), MetersTable.read("alerts-tests.yml")))
                .isEqualTo(alerts);
        assertThat(found(Pattern.compile("(?m)^## (\\w+)$"), MetersTable.read("runbook.md")))
                .isEqualTo(alerts);
        assertThat(found(Pattern.compile("runbook\\.md#(\\w+)"), MetersTable.read("alerts.yml")))
                .isEqualTo(alerts.stream()
                        .map(alert -> alert.toLowerCase(Locale.ROOT))
                        .collect(TreeSet::new, Set::add, Set::addAll));
    }

    /** Where promtool is, from the Debian package prometheus for example. */
    @Test
    void rulesDoWhatTheirTestsSay() throws Exception {
        assumeTrue(answer("promtool", "--version").startsWith("promtool"), "promtool is not there");

        assertThat(answer("promtool", "check", "rules", "alerts.yml")).contains("SUCCESS");
        assertThat(answer("promtool", "test", "rules", "alerts-tests.yml")).contains("SUCCESS");
    }

    private static String answer(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(MetersTable.operations().toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return process.exitValue() == 0 ? output : "failed: " + output;
        } catch (IOException notThere) {
            return "";
        }
    }
}
