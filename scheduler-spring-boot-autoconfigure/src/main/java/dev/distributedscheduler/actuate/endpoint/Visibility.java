package dev.distributedscheduler.actuate.endpoint;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

/** Who may see payloads and stack traces; the others see that there is one. */
record Visibility(Show show, Set<String> roles) {

    private static final String HIDDEN = "******";

    /** The text for whoever is asking. */
    @Nullable
    String of(@Nullable String text, SecurityContext asking) {
        return text == null || show.isShown(asking, roles) ? text : HIDDEN;
    }
}
