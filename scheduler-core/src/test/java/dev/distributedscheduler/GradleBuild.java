package dev.distributedscheduler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@link BuildParityTests} compares, read from the Gradle files. It knows only the few forms those files use and
 * refuses a dependency it cannot read, so that nothing slips past the comparison.
 */
final class GradleBuild {

    private static final Map<String, String> SCOPES = Map.of(
            "api", "compile",
            "implementation", "compile",
            "compileOnly", "optional",
            "runtimeOnly", "runtime",
            "testImplementation", "test",
            "testRuntimeOnly", "test",
            "annotationProcessor", "processor");

    private static final Pattern DEPENDENCIES = Pattern.compile("(?ms)^dependencies \\{\n(.*?)^}");
    private static final Pattern DEPENDENCY =
            Pattern.compile("(\\w+)\\((?:libs\\.([\\w.]+)|project\\(\":([\\w-]+)\"\\)|(\\w+))\\)(?: \\{)?");
    private static final Pattern NO_DEPENDENCY = Pattern.compile("|//.*|exclude\\(.*\\)|}");
    private static final Pattern LIBRARY =
            Pattern.compile("([\\w-]+) = \\{ module = \"([^\"]+)\"(?:, version\\.ref = \"([^\"]+)\")? }");

    private final Path root;
    private final String settings;
    private final String build;
    private final Map<String, String> catalogVersions = new TreeMap<>();
    private final Map<String, String> libraries = new TreeMap<>();
    private final Map<String, String> versions = new TreeMap<>();

    GradleBuild(Path root) {
        this.root = root;
        this.settings = read(root.resolve("settings.gradle.kts"));
        this.build = read(root.resolve("build.gradle.kts"));
        readCatalog(read(root.resolve("gradle/libs.versions.toml")));
    }

    private void readCatalog(String toml) {
        int libraryTable = toml.indexOf("[libraries]\n");
        all(toml.substring(0, libraryTable), "(?m)^([\\w-]+) = \"([^\"]+)\"$").forEach(catalogVersions::put);
        for (String line : toml.substring(libraryTable).lines().skip(1).toList()) {
            Matcher library = LIBRARY.matcher(line);
            if (!library.matches()) {
                throw new IllegalStateException("Not understood in libs.versions.toml: " + line);
            }
            libraries.put(library.group(1).replace('-', '.'), library.group(2));
            if (library.group(3) != null) {
                versions.put(library.group(2), version(library.group(3)));
            }
        }
    }

    Set<String> modules() {
        return all(settings, "(?m)^include\\(\"([^\"]+)()\"\\)$").keySet();
    }

    String coordinates() {
        return one(build, "(?m)^    group = \"(.+)\"$") + ":" + one(build, "(?m)^    version = \"(.+)\"$");
    }

    /** Each as {@code "scope group:artifact"}. */
    Set<String> dependencies(String module) {
        String script = read(root.resolve(module).resolve("build.gradle.kts"));
        Set<String> found = new TreeSet<>();
        for (String line : one(script, DEPENDENCIES).lines().map(String::strip).toList()) {
            Matcher dependency = DEPENDENCY.matcher(line);
            if (dependency.matches()) {
                found.add(scope(dependency.group(1)) + " " + artifact(dependency));
            } else if (!NO_DEPENDENCY.matcher(line).matches()) {
                throw new IllegalStateException("Not understood in " + module + "/build.gradle.kts: " + line);
            }
        }
        return found;
    }

    /** Versions this build states itself, by artifact. */
    Map<String, String> versions() {
        return versions;
    }

    String version(String name) {
        return required(catalogVersions.get(name), "version " + name);
    }

    /** The binaries' version by PostgreSQL major version. */
    Map<String, String> postgresBinaries() {
        Map<String, String> found = new TreeMap<>();
        catalogVersions.forEach((name, version) -> {
            if (name.matches("postgres\\d+")) {
                found.put(name.substring("postgres".length()), version);
            }
        });
        return found;
    }

    Set<String> postgresPlatforms() {
        return all(build, "\"((?:linux|darwin|windows)-\\w+)()\"").keySet();
    }

    Set<String> checkerFlags() {
        return checkerFlags(build);
    }

    static Set<String> checkerFlags(String text) {
        return all(text, "(-Xep[\\w:=]+)()").keySet();
    }

    private static String scope(String configuration) {
        return required(SCOPES.get(configuration), "Maven counterpart of " + configuration);
    }

    private String artifact(Matcher dependency) {
        if (dependency.group(2) != null) {
            return required(libraries.get(dependency.group(2)), "library " + dependency.group(2));
        }
        if (dependency.group(3) != null) {
            return "dev.distributedscheduler:" + dependency.group(3);
        }
        // A value the root script computes, such as the PostgreSQL binaries of this platform.
        String value = one(build, "val " + dependency.group(4) + " by extra\\(\\s*\"([^\"]+?):\\$\\{");
        return value.replace("$embeddedPostgresPlatform", "PLATFORM");
    }

    private static String required(String value, String what) {
        if (value == null) {
            throw new IllegalStateException("The Gradle build has no " + what);
        }
        return value;
    }

    private static String one(String text, String regex) {
        return one(text, Pattern.compile(regex));
    }

    private static String one(String text, Pattern pattern) {
        Matcher matcher = pattern.matcher(text);
        return required(matcher.find() ? matcher.group(1) : null, "match of " + pattern);
    }

    private static Map<String, String> all(String text, String regex) {
        Map<String, String> found = new TreeMap<>();
        Pattern.compile(regex).matcher(text).results().forEach(match -> found.put(match.group(1), match.group(2)));
        return found;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
