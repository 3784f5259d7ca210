pluginManagement {
    repositories {
        mavenCentral()
    }
}

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}

rootProject.name = "distributed-scheduler"

include("scheduler-core")
include("scheduler-spring-boot-autoconfigure")
include("scheduler-spring-boot-starter")
include("sample-app")
include("postgres-fixture")
include("fault-tests")
include("benchmarks")
