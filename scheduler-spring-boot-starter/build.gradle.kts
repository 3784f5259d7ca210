dependencies {
    api(project(":scheduler-spring-boot-autoconfigure"))
    api(libs.spring.boot.starter.jdbc)
    api(libs.spring.boot.starter.jackson)
    api(libs.postgresql)
}
