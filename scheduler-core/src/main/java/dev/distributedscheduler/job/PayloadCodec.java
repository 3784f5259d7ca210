package dev.distributedscheduler.job;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Between payloads and the text that the database keeps. */
public interface PayloadCodec {

    /** The text of a payload; null for none. */
    @Nullable
    String write(@Nullable Object payload);

    /** Reads payloads of a type. */
    PayloadReader reader(Type type);
}
