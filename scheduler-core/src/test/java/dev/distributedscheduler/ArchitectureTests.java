package dev.distributedscheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The packages of the core and who may use whom.
 *
 * <p>Each rule was seen to fail, with one temporary change to the production code at a time: a field of type
 * {@code SchedulerEngine} in {@code Loop} and in {@code RunState} (layers, cycles), a package of its own without
 * {@code package-info} (layers, null marks), a {@code Connection} parameter in {@code WorkerPool} (SQL), a class
 * {@code RunHelper} (names), and for Spring Boot the rule's package changed to {@code org.springframework.scheduling}.
 */
class ArchitectureTests {

    private static final String ROOT = "dev.distributedscheduler";

    /** In reading order: each may use those before it. */
    private static final List<String> LAYERS = List.of(
            ROOT,
            ROOT + ".schedule",
            ROOT + ".job",
            ROOT + ".run",
            ROOT + ".event",
            ROOT + ".store",
            ROOT + ".leader",
            ROOT + ".dispatch",
            ROOT + ".worker",
            ROOT + ".watch",
            ROOT + ".engine");

    /** Used by everybody, uses nobody. */
    private static final String LOOP = ROOT + ".loop";

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .importUrl(JobContext.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void importsPointOnlyUpwards() {
        LayeredArchitecture architecture = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .ensureAllClassesAreContainedInArchitecture()
                .layer(LOOP)
                .definedBy(LOOP)
                .whereLayer(LOOP)
                .mayNotAccessAnyLayer();
        List<String> above = new ArrayList<>(List.of(LOOP));
        for (String layer : LAYERS) {
            architecture = architecture.layer(layer).definedBy(layer);
        }
        for (String layer : LAYERS) {
            architecture = architecture.whereLayer(layer).mayOnlyAccessLayers(above.toArray(String[]::new));
            above.add(layer);
        }

        architecture.check(PRODUCTION);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(PRODUCTION);
    }

    @Test
    void nothingNeedsSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .check(PRODUCTION);
    }

    @Test
    void onlyTheStoreTalksSql() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".store")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql", "org.springframework.jdbc..", "org.postgresql..")
                .check(PRODUCTION);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(PRODUCTION.getPackage(ROOT).getSubpackagesInTree())
                .isNotEmpty()
                .allMatch(p -> p.isAnnotatedWith(NullMarked.class));
        assertThat(PRODUCTION.getPackage(ROOT)).matches(p -> p.isAnnotatedWith(NullMarked.class));
        assertThat(PRODUCTION.getPackage(ROOT).getSubpackagesInTree())
                .extracting(JavaPackage::getName)
                .contains(LOOP);
    }

    @Test
    void classesAreNamedByWhatTheyDo() {
        noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Utils|Impl)")
                .because("such a name says nothing about the act")
                .check(PRODUCTION);
    }
}
