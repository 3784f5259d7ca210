package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The endpoints over JMX, as an operator with a console meets them. */
@PostgresTest
class EndpointsOverJmxIntegrationTests {

    private static ConfigurableApplicationContext application;
    private static MBeanServer server;

    @BeforeAll
    static void start(PostgresDatabase database) {
        application = EndpointApplication.overJmx(
                database,
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.exposure.include=*",
                "management.endpoint.schedulerjobs.access=unrestricted");
        server = application.getBean(MBeanServer.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** By the names of the parameters; what is not given is null. */
    private static Object invoke(String endpoint, String operation, Map<String, String> arguments) throws JMException {
        ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=" + endpoint);
        MBeanOperationInfo info = Arrays.stream(server.getMBeanInfo(name).getOperations())
                .filter(candidate -> candidate.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        List<MBeanParameterInfo> parameters = List.of(info.getSignature());
        assertThat(parameters).extracting(MBeanParameterInfo::getName).containsAll(arguments.keySet());
        assertThat(parameters).extracting(MBeanParameterInfo::getType).allMatch("java.lang.String"::equals);
        return server.invoke(
                name,
                operation,
                parameters.stream()
                        .map(parameter -> arguments.get(parameter.getName()))
                        .toArray(),
                parameters.stream().map(MBeanParameterInfo::getType).toArray(String[]::new));
    }

    private static Map<?, ?> map(Object answer) {
        return (Map<?, ?>) answer;
    }

    @Test
    void everythingCanBeRead() throws JMException {
        assertThat(map(invoke("Scheduler", "overview", Map.of())).get("nodes"))
                .asString()
                .contains("alive=true");
        assertThat(map(invoke("Schedulerjobs", "list", Map.of("prefix", "night")))
                        .get("schedules"))
                .asString()
                .contains("name=nightly");
        assertThat(map(invoke("Schedulerjobs", "view", Map.of("name", "nightly", "view", "ticks", "size", "3")))
                        .get("ticks"))
                .asString()
                .contains("T02:00:00Z");
        assertThat(map(invoke("Schedulerruns", "live", Map.of())).get("runs"))
                .asString()
                .isEqualTo("[]");
        assertThat(map(invoke("Schedulerruns", "run", Map.of("id", "past"))).containsKey("attempts"))
                .isTrue();
        assertThat(map(invoke("Schedulerdeadletters", "list", Map.of())).get("deadLetters"))
                .asString()
                .isEqualTo("[]");
        assertThat(invoke("Schedulerjobs", "job", Map.of("name", "unknown"))).isNull();
    }

    @Test
    void enabledWritesAreDoneAndRecorded() throws JMException {
        Map<?, ?> done =
                map(invoke("Schedulerjobs", "act", Map.of("name", "nightly", "action", "pause", "reason", "holiday")));

        assertThat(done.get("done")).isEqualTo(true);
        assertThat(map(invoke("Schedulerjobs", "job", Map.of("name", "nightly")))
                        .get("operations"))
                .asString()
                .contains("act=PAUSE", "who=anonymous", "reason=holiday");
    }

    @Test
    void otherWritesAreNotThere() throws JMException {
        ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Schedulerruns");
        assertThat(server.getMBeanInfo(name).getOperations())
                .extracting(MBeanOperationInfo::getName)
                .containsExactlyInAnyOrder("live", "run");
    }

    @Test
    void badInputIsRefusedWithAReason() {
        assertThatThrownBy(() -> invoke("Schedulerjobs", "list", Map.of("size", "-1")))
                .rootCause()
                .hasMessageContaining("'size' is at least 1");
        assertThatThrownBy(() -> invoke("Schedulerjobs", "act", Map.of("name", "x".repeat(1 << 20), "action", "pause")))
                .rootCause()
                .hasMessageContaining("1 to 200 printable characters");
    }
}
