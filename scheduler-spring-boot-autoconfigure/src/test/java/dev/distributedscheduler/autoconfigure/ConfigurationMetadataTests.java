package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.autoconfigure.annotation.JobOverrides;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;

/** What an IDE shows: every property, with a sentence that explains it. */
class ConfigurationMetadataTests {

    @Test
    void everyPropertyIsExplained() throws IOException {
        Map<String, String> explained = new TreeMap<>();
        for (Map<String, Object> property : metadata()) {
            explained.put((String) property.get("name"), (String) property.get("description"));
        }

        assertThat(explained.keySet())
                .containsAll(names("distributed-scheduler", DistributedSchedulerProperties.class));
        assertThat(explained)
                .allSatisfy((name, text) -> assertThat(text).as(name).endsWith("."));
    }

    @Test
    void defaultsAreShown() throws IOException {
        Map<String, Object> defaults = new TreeMap<>();
        for (Map<String, Object> property : metadata()) {
            defaults.put((String) property.get("name"), property.get("defaultValue"));
        }

        assertThat(defaults)
                .containsEntry("distributed-scheduler.schedules-per-tenant", 100_000)
                .containsEntry("distributed-scheduler.dispatch.misfire-after", "5s")
                .containsEntry("distributed-scheduler.dispatch.catch-up-rate", 2)
                .containsEntry("distributed-scheduler.dispatch.retire-after", "1h");
    }

    /** The names are the user's, so IDEs take what they show about one entry from the type and the comment of the value. */
    @Test
    void entriesOfMapsAreExplainedByTheTypesOfTheirValues() throws IOException {
        assertThat(metadata())
                .filteredOn(property -> property.get("type").toString().startsWith("java.util.Map<"))
                .extracting(property -> property.get("type"))
                .containsExactlyInAnyOrder(
                        mapOf(JobOverrides.class), mapOf(DistributedSchedulerProperties.Queue.class));
        assertThat(section("hints"))
                .extracting(hint -> hint.get("name"))
                .contains("distributed-scheduler.jobs.keys", "distributed-scheduler.worker.queues.keys");
    }

    @ParameterizedTest
    @ValueSource(classes = {JobOverrides.class, DistributedSchedulerProperties.Queue.class})
    void everySettingOfAnEntryIsExplained(Class<?> settings) throws IOException {
        String source = Files.readString(Path.of(
                "src/main/java", settings.getName().replaceAll("\\$.*", "").replace('.', '/') + ".java"));

        for (RecordComponent component : settings.getRecordComponents()) {
            assertThat(source).containsPattern("@param " + component.getName() + " [A-Z]");
        }
    }

    private static String mapOf(Class<?> value) {
        return "java.util.Map<java.lang.String,%s>".formatted(value.getName());
    }

    private static List<String> names(String prefix, Class<?> properties) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : properties.getRecordComponents()) {
            String name = prefix + "." + dashed(component.getName());
            if (component.getType().isRecord()) {
                names.addAll(names(name, component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    private static String dashed(String name) {
        return ConfigurationPropertyName.adapt(name.replaceAll("([A-Z])", "-$1"), '.')
                .toString()
                .toLowerCase(Locale.ROOT);
    }

    private static List<Map<String, Object>> metadata() throws IOException {
        return section("properties");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> section(String name) throws IOException {
        String path = "/META-INF/spring-configuration-metadata.json";
        try (InputStream json = ConfigurationMetadataTests.class.getResourceAsStream(path)) {
            Map<String, Object> all =
                    JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
            return (List<Map<String, Object>>) all.get(name);
        }
    }
}
