package dev.distributedscheduler.actuate.endpoint;

import static org.springframework.security.config.Customizer.withDefaults;

import dev.distributedscheduler.fixture.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** A whole application with all endpoints exposed; over HTTP readers may read and operators may write. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(EndpointJobs.class)
class EndpointApplication {

    static ConfigurableApplicationContext overHttp(PostgresDatabase database, String... properties) {
        return start(WebApplicationType.SERVLET, database, properties, Security.class);
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
                "server.port=0",
                "management.endpoints.web.exposure.include=*"));
        return new SpringApplicationBuilder(EndpointApplication.class)
                .sources(more)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    static class Security {

        @Bean
        SecurityFilterChain endpointSecurity(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.POST, "/actuator/**")
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .hasRole("READER"))
                    .httpBasic(withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("rita")
                            .password("{noop}secret")
                            .roles("READER")
                            .build(),
                    User.withUsername("otto")
                            .password("{noop}secret")
                            .roles("READER", "OPERATOR")
                            .build());
        }
    }
}
