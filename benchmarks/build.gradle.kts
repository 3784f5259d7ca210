plugins {
    application
}

dependencies {
    implementation(project(":scheduler-core"))
    implementation(project(":postgres-fixture"))
    implementation(libs.db.scheduler)
    implementation(libs.jobrunr)
    implementation(libs.jackson.databind)
    implementation(libs.quartz)
    implementation(libs.hikaricp)
    implementation(libs.jspecify)
    runtimeOnly(libs.logback.classic)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.assertj.core)
}

application {
    mainClass.set("dev.distributedscheduler.benchmarks.Benchmarks")
}
