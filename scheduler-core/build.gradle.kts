dependencies {
    api(libs.spring.jdbc)
    api(libs.spring.tx)
    api(libs.spring.context)
    api(libs.slf4j.api)
    api(libs.postgresql)
    api(libs.flyway.core)
    api(libs.flyway.database.postgresql)
    api(libs.jspecify)
    testImplementation(project(":postgres-fixture"))
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.hikaricp)
    testImplementation(libs.logback.classic)
    testImplementation(libs.archunit.junit5)
}

tasks.named<Test>("test") {
    // BuildParityTests reads the build files of all modules.
    inputs.files(
        rootProject.fileTree(rootDir) {
            include("pom.xml", "*/pom.xml", "*.gradle.kts", "*/build.gradle.kts", "gradle/libs.versions.toml")
        }
    )
}
