package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.DeadLetterDetails;
import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Endpoint that shows dead letters, replays them and throws them away, one or many at a time. */
@Endpoint(id = "schedulerdeadletters", defaultAccess = Access.READ_ONLY)
public final class SchedulerDeadLettersEndpoint {

    private static final int USUAL_BATCH = 1_000;
    private static final int LONGEST_TYPE = 500;

    private final DeadLetters letters;
    private final Operations operations;
    private final Payloads payloads;
    private final Visibility visibility;

    SchedulerDeadLettersEndpoint(DeadLetters letters, Operations operations, Payloads payloads, Visibility visibility) {
        this.letters = letters;
        this.operations = operations;
        this.payloads = payloads;
        this.visibility = visibility;
    }

    /** What can be done to dead letters. */
    enum Action {
        REPLAY,
        DISCARD
    }

    /** Dead letters, newest first. */
    @ReadOperation
    public Letters list(
            @Nullable String job,
            @Nullable String errorType,
            @Nullable String from,
            @Nullable String before,
            @Nullable String after,
            @Nullable String size) {
        DeadLetterFilter filter = filter(job, errorType, from, before);
        int most = Parameters.size(size, DeadLetters.DEFAULT_PAGE, DeadLetters.LARGEST_PAGE);
        Page<DeadLetter> page = Refusals.translated(() -> letters.page(filter, after, most));
        return new Letters(page.items(), page.next());
    }

    private static DeadLetterFilter filter(
            @Nullable String job, @Nullable String errorType, @Nullable String from, @Nullable String before) {
        if (errorType != null && (errorType.length() > LONGEST_TYPE || errorType.indexOf('\0') >= 0)) {
            throw Parameters.bad("'errorType' is the name of a class");
        }
        return new DeadLetterFilter(
                Parameters.nameOrNull("job", job),
                Parameters.timeOrNull("from", from),
                Parameters.timeOrNull("before", before),
                errorType);
    }

    @ReadOperation
    public @Nullable Letter letter(@Selector String id) {
        return letter(id, SecurityContext.NONE);
    }

    @Nullable
    Letter letter(String id, SecurityContext asking) {
        long runId = Parameters.runId(id);
        return letters.find(runId)
                .map(found -> letter(found, operations.ofRun(runId, Operations.LARGEST_PAGE), asking))
                .orElse(null);
    }

    private Letter letter(DeadLetterDetails found, List<Operation> done, SecurityContext asking) {
        return new Letter(
                found.letter(),
                found.maxAttempts(),
                visibility.of(found.payload(), asking),
                visibility.of(found.stackTrace(), asking),
                done);
    }

    /** Replays a dead letter, with another payload if one is given, or throws it away. */
    @WriteOperation
    public @Nullable Done act(
            @Selector String id, @Nullable String action, @Nullable String payload, @Nullable String reason) {
        return act(id, action, payload, reason, SecurityContext.NONE);
    }

    @Nullable
    Done act(
            String id,
            @Nullable String action,
            @Nullable String payload,
            @Nullable String reason,
            SecurityContext asking) {
        long runId = Parameters.runId(id);
        Note note = Parameters.note(asking, reason);
        return switch (Parameters.choice("action", action, Action.class)) {
            case REPLAY -> replay(runId, payload, note);
            case DISCARD -> operations.discard(runId, note) ? Done.run(Act.DISCARD, runId) : null;
        };
    }

    private @Nullable Done replay(long runId, @Nullable String payload, Note note) {
        Replay replay = payload == null
                ? operations.replay(runId, note)
                : Refusals.translated(() -> operations.replay(runId, payloads.read(payload), note));
        return switch (replay) {
            case REPLAYED -> Done.run(Act.REPLAY, runId);
            case KEY_TAKEN -> Done.not(Act.REPLAY, runId, "Another run has its idempotency key");
            case NOT_FOUND -> null;
        };
    }

    /**
     * Replays dead letters or throws them away, the newest that match.
     *
     * @param all needed when there is no condition, so that nobody empties the list by leaving something out
     */
    @WriteOperation
    public Done actOnAll(
            @Nullable String action,
            @Nullable String job,
            @Nullable String errorType,
            @Nullable String from,
            @Nullable String before,
            @Nullable String all,
            @Nullable String size,
            @Nullable String reason) {
        return actOnAll(action, job, errorType, from, before, all, size, reason, SecurityContext.NONE);
    }

    Done actOnAll(
            @Nullable String action,
            @Nullable String job,
            @Nullable String errorType,
            @Nullable String from,
            @Nullable String before,
            @Nullable String all,
            @Nullable String size,
            @Nullable String reason,
            SecurityContext asking) {
        Action chosen = Parameters.choice("action", action, Action.class);
        DeadLetterFilter filter = filter(job, errorType, from, before);
        if (filter.equals(DeadLetterFilter.ALL) && !Parameters.flag("all", all)) {
            throw Parameters.bad("Say which, by job, errorType, from or before; or say all=true");
        }
        int most = Parameters.size(size, USUAL_BATCH, DeadLetters.LARGEST_BATCH);
        Note note = Parameters.note(asking, reason);
        return switch (chosen) {
            case REPLAY -> Done.runs(Act.REPLAY, operations.replayAll(filter, most, note));
            case DISCARD -> Done.runs(Act.DISCARD, operations.discardAll(filter, most, note));
        };
    }

    /** Dead letters. */
    public record Letters(
            List<DeadLetter> deadLetters, @Nullable String next) implements OperationResponseBody {}

    /** A dead letter and what was done to its run. */
    public record Letter(
            DeadLetter letter,
            int maxAttempts,
            @Nullable String payload,
            @Nullable String stackTrace,
            List<Operation> operations)
            implements OperationResponseBody {}
}
