package dev.distributedscheduler.actuate.endpoint;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Readers may read, operators may write. */
@Configuration(proxyBeanMethods = false)
class EndpointSecurity {

    @Bean
    SecurityFilterChain endpointSecurityFilterChain(HttpSecurity http) throws Exception {
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
                User.withUsername("rita").password("secret").roles("READER").build(),
                User.withUsername("otto")
                        .password("secret")
                        .roles("READER", "OPERATOR")
                        .build());
    }

    /** A slow one would be all that a test with a thousand requests measures. */
    @Bean
    @SuppressWarnings("deprecation")
    PasswordEncoder plainPasswords() {
        return NoOpPasswordEncoder.getInstance();
    }
}
