package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.fixture.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** A whole application with all endpoints exposed; over HTTP readers may read and operators may write. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(EndpointJobs.class)
class EndpointApplication {

    static ConfigurableApplicationContext overHttp(PostgresDatabase database, String... properties) {
        return start(WebApplicationType.SERVLET, database, properties, EndpointSecurity.class);
    }

    static ConfigurableApplicationContext overJmx(PostgresDatabase database, String... properties) {
        return start(WebApplicationType.NONE, database, properties);
    }

    private static ConfigurableApplicationContext start(
            WebApplicationType type, PostgresDatabase database, String[] properties, Class<?>... more) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.addAll(List.of(
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.datasource.username=" + database.username(),
                "spring.datasource.password=" + database.password(),
                "spring.flyway.enabled=false",
                "spring.main.banner-mode=off",
                "distributed-scheduler.worker.drain-timeout=1s",
                "server.port=0",
                "management.endpoints.web.exposure.include=*"));
        return new SpringApplicationBuilder(EndpointApplication.class)
                .sources(more)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run();
    }
}
