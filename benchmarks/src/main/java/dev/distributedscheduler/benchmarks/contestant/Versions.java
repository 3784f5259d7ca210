package dev.distributedscheduler.benchmarks.contestant;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out the version of a library on the class path. */
final class Versions {

    private Versions() {}

    /** From the name of the jar that a class came in. */
    static String of(Class<?> member) {
        var source = member.getProtectionDomain().getCodeSource();
        Path jar = Path.of(source.getLocation().getPath());
        Matcher version = Pattern.compile("-(\\d[\\w.]*)\\.jar$").matcher(jar.toString());
        return version.find() ? version.group(1) : "of unknown version";
    }
}
