package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.store.HistorySearch;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorsTests {

    private static final Instant TIME = Instant.parse("2026-03-29T01:00:00.123456Z");

    @Test
    void whatIsWrittenIsRead() {
        HistorySearch.Position attempt = new HistorySearch.Position(TIME, 42, 7);
        DeadLetter.Position letter = new DeadLetter.Position(TIME, -3);

        assertThat(Cursors.attempt(Cursors.text(attempt))).isEqualTo(attempt);
        assertThat(Cursors.deadLetter(Cursors.text(letter))).isEqualTo(letter);
        for (ScheduleKey key : List.of(
                ScheduleKey.of("plain"), new ScheduleKey("tenant~1", "a~b/c?d&e=ü %"), new ScheduleKey("", "~"))) {
            assertThat(Cursors.schedule(Cursors.text(key))).isEqualTo(key);
            assertThat(Cursors.text(key)).matches("[A-Za-z0-9_~-]+");
        }
        assertThat(Cursors.run("42")).isEqualTo(42);
    }

    @Test
    void firstPageHasNone() {
        assertThat(Cursors.run(null)).isEqualTo(Long.MAX_VALUE);
        assertThat(Cursors.attempt(null)).isNull();
        assertThat(Cursors.deadLetter(null)).isNull();
        assertThat(Cursors.schedule(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "~", "~~", "x~1~2", "2026-03-29T01:00:00Z~1", "+999999999-01-01T00:00:00Z~1~2", "AA~AA"})
    void nothingElseIsRead(String text) {
        assertThatThrownBy(() -> Cursors.attempt(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Cursors.run(text))
                .hasMessage("'%s' is not the 'next' of a page of this list".formatted(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "2026-03-29T01:00:00Z~", "~1", "+999999999-01-01T00:00:00Z~1", "a~b~c"})
    void nothingElseIsADeadLetter(String text) {
        assertThatThrownBy(() -> Cursors.deadLetter(text)).hasMessageContaining("is not the 'next'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "%%~x", "AA~AA", "a~b~c"})
    void nothingElseIsASchedule(String text) {
        assertThatThrownBy(() -> Cursors.schedule(text)).hasMessageContaining("is not the 'next'");
    }

    @Test
    void sizesAreCappedAndAtLeastOne() {
        assertThat(Cursors.size(Integer.MAX_VALUE, 500)).isEqualTo(500);
        assertThat(Cursors.size(1, 500)).isEqualTo(1);
        assertThatThrownBy(() -> Cursors.size(0, 500)).hasMessageContaining("at least one");
    }
}
