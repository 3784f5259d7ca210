package dev.distributedscheduler.run;

import java.nio.charset.StandardCharsets;

/**
 * Text in a form that the database can always store.
 *
 * <p>PostgreSQL refuses NUL characters and broken surrogate pairs, and nobody reads ten megabytes.
 */
public final class StorableText {

    private StorableText() {}

    public static String of(String text, int longest) {
        String head = text.length() > longest ? text.substring(0, longest) + "… (cut)" : text;
        String paired = new String(head.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return paired.replace('\0', '\uFFFD');
    }
}
