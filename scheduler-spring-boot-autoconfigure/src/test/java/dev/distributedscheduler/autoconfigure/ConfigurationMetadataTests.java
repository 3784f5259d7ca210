package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
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

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> metadata() throws IOException {
        String path = "/META-INF/spring-configuration-metadata.json";
        try (InputStream json = ConfigurationMetadataTests.class.getResourceAsStream(path)) {
            Map<String, Object> all =
                    JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
            return (List<Map<String, Object>>) all.get("properties");
        }
    }
}
