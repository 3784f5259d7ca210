dependencies {
    api(project(":scheduler-core"))
    api(libs.spring.boot.autoconfigure)
    api(libs.spring.boot.jdbc)
    api(libs.jackson.databind)
    compileOnly(libs.hikaricp)
    compileOnly(libs.spring.boot.flyway)
    compileOnly(libs.spring.boot.actuator.autoconfigure)
    compileOnly(libs.micrometer.core)
    compileOnly(libs.spring.boot.health)
    testImplementation(project(":postgres-fixture"))
    testImplementation(libs.spring.boot.starter.test)
    testImplementation(libs.spring.boot.starter.jdbc)
    testImplementation(libs.spring.boot.starter.flyway)
    testImplementation(libs.spring.boot.starter.actuator)
    testImplementation(libs.spring.boot.starter.webmvc)
    testImplementation(libs.spring.boot.starter.security)
    testImplementation(libs.micrometer.registry.prometheus)
    testImplementation(libs.aspectjweaver)
    testImplementation(libs.awaitility)
    annotationProcessor(libs.spring.boot.configuration.processor)
    annotationProcessor(libs.spring.boot.autoconfigure.processor)
}

// The configuration processor adds what it finds in the resources to the metadata.
tasks.compileJava {
    inputs.files(tasks.processResources)
}
