package dev.distributedscheduler.engine;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.DeadLetterDetails;
import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.Page;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DeadLetterSearch;
import dev.distributedscheduler.store.DeadLetterStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks what is to be done with dead letters before the database sees it. */
public final class DeadLetterOperations implements DeadLetters {

    private final DeadLetterStore letters;
    private final DeadLetterSearch search;
    private final PayloadEncoder payloads;

    /** @param database on the connections of the application, whose transactions it joins */
    public DeadLetterOperations(Database database, PayloadCodec payloads, int maxPayloadBytes) {
        this.letters = new DeadLetterStore(database);
        this.search = new DeadLetterSearch(database);
        this.payloads = new PayloadEncoder(payloads, maxPayloadBytes);
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, DeadLetter.@Nullable Position after, int most) {
        return search.list(filter, after, Cursors.size(most, LARGEST_PAGE));
    }

    @Override
    public Page<DeadLetter> page(DeadLetterFilter filter, @Nullable String after, int most) {
        DeadLetterSearch.Found found = search.find(
                filter, Cursors.deadLetter(after), Cursors.size(most, LARGEST_PAGE), DeadLetterSearch.WINDOW);
        return new Page<>(found.letters(), Cursors.text(found.next()));
    }

    @Override
    public long count(DeadLetterFilter filter) {
        return search.count(filter);
    }

    @Override
    public Optional<DeadLetterDetails> find(long runId) {
        return search.find(runId);
    }

    @Override
    public Replay replay(long runId) {
        return letters.replay(runId);
    }

    @Override
    public Replay replay(long runId, @Nullable Object payload) {
        return letters.replayWith(runId, payloads.encode("run %d".formatted(runId), payload));
    }

    @Override
    public int replayAll(DeadLetterFilter filter, int most) {
        giveUpKeys();
        return replayMatching(filter, most).size();
    }

    void giveUpKeys() {
        letters.giveUpKeys();
    }

    /** As {@link #replayAll}, but gives up no keys; returns the runs. */
    List<Long> replayMatching(DeadLetterFilter filter, int most) {
        return letters.replayMatching(filter, checkedBatch(most));
    }

    @Override
    public boolean discard(long runId) {
        return letters.discard(runId);
    }

    @Override
    public int discardAll(DeadLetterFilter filter, int most) {
        return discardMatching(filter, most).size();
    }

    /** As {@link #discardAll}; returns the runs. */
    List<Long> discardMatching(DeadLetterFilter filter, int most) {
        return letters.discardMatching(filter, checkedBatch(most));
    }

    private static int checkedBatch(int most) {
        if (most < 1 || most > LARGEST_BATCH) {
            throw new IllegalArgumentException(
                    "A batch has 1 to %d dead letters, not %d".formatted(LARGEST_BATCH, most));
        }
        return most;
    }
}
