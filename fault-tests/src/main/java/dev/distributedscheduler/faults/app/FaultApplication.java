package dev.distributedscheduler.faults.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * A replica for fault tests.
 *
 * <p>What it needs: {@code faults.ledger}, the file to append to, and {@code faults.parent}, the process id of whoever
 * started it. It dies with that process: no test that is killed leaves replicas behind. Its jobs are chosen by the
 * properties of {@link JobBeans}.
 */
@SpringBootApplication
@Import(JobBeans.class)
public class FaultApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(FaultApplication.class, arguments);
    }

    @Bean
    LedgerFile ledgerFile(
            @Value("${faults.ledger}") Path file,
            @Value("${distributed-scheduler.node.name}") String node,
            @Value("${faults.parent}") long parent)
            throws IOException {
        dieWith(parent);
        return new LedgerFile(file, node);
    }

    private static void dieWith(long parent) {
        CompletableFuture<Void> unused = ProcessHandle.of(parent)
                .orElseThrow(() -> new IllegalStateException("Process %d is gone".formatted(parent)))
                .onExit()
                .thenRun(() -> Runtime.getRuntime().halt(1));
    }
}
