package dev.distributedscheduler.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarkServerIntegrationTests {

    @Test
    void theServerOfThisMachineKeepsWhatItCommits() {
        try (BenchmarkServer server = BenchmarkServer.start()) {
            assertDurable(server);
        }
    }

    @Test
    void theEmbeddedServerKeepsWhatItCommits() {
        try (BenchmarkServer server = BenchmarkServer.embedded()) {
            assertDurable(server);
        }
    }

    private static void assertDurable(BenchmarkServer server) {
        assertThat(server.describe()).contains("fsync = on", "synchronous_commit = on", "full_page_writes = on");
        try (BenchmarkDatabase database = server.createDatabase()) {
            assertThat(database.text("select current_database()")).isEqualTo(database.name());
        }
    }
}
