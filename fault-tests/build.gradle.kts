dependencies {
    implementation(project(":scheduler-spring-boot-starter"))
    testImplementation(project(":postgres-fixture"))
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
}
