package dev.distributedscheduler.benchmarks.node;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What a JVM has used so far.
 *
 * @param cpuNanos of all its threads, the collector's and the compiler's too
 * @param allocatedBytes by the threads that live
 */
public record Usage(long cpuNanos, long allocatedBytes) {

    static Usage now() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
        return new Usage(system.getProcessCpuTime(), allocated);
    }

    public Usage plus(Usage other) {
        return new Usage(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
    }

    public Usage since(Usage earlier) {
        return new Usage(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
    }

    String text() {
        return cpuNanos + " " + allocatedBytes;
    }

    static Usage parse(String text) {
        String[] parts = text.split(" ", -1);
        return new Usage(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }
}
