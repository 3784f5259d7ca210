package dev.distributedscheduler.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What everything ran on. */
public final class Machine {

    private static final double GIB = 1 << 30;

    private Machine() {}

    public static String describe() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "%d × %s, %.0f GiB, %s %s, Java %s",
                system.getAvailableProcessors(),
                processor(),
                system.getTotalMemorySize() / GIB,
                system.getName(),
                system.getVersion(),
                Runtime.version());
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown processor");
        } catch (IOException elsewhere) {
            return System.getProperty("os.arch");
        }
    }

    /** Processes that wait for a processor; above zero before a measurement, somebody else is at work. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
