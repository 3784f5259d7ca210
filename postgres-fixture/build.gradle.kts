val embeddedPostgresBinaries: String by rootProject.extra

dependencies {
    api(libs.postgresql)
    api(libs.junit.jupiter.api)
    implementation(libs.embedded.postgres) {
        exclude(group = "io.zonky.test.postgres")
    }
    implementation(libs.testcontainers.postgresql)
    api(libs.jspecify)
    runtimeOnly(embeddedPostgresBinaries)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.assertj.core)
    testRuntimeOnly(libs.logback.classic)
}
