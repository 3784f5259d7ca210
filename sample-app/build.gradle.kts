plugins {
    application
}

val embeddedPostgresBinaries: String by rootProject.extra

dependencies {
    implementation(project(":scheduler-spring-boot-starter"))
    implementation(libs.spring.boot.starter.webmvc)
    implementation(libs.spring.boot.starter.actuator)
    implementation(libs.embedded.postgres) {
        exclude(group = "io.zonky.test.postgres")
    }
    runtimeOnly(libs.micrometer.registry.prometheus)
    runtimeOnly(embeddedPostgresBinaries)
    testImplementation(libs.spring.boot.starter.test)
}

application {
    mainClass.set("dev.distributedscheduler.sample.SampleApplication")
}
