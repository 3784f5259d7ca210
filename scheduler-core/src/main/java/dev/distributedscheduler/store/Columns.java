package dev.distributedscheduler.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Between Java's values and the arrays and time stamps of PostgreSQL. */
final class Columns {

    private Columns() {}

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(instantOrNull(row, column), column);
    }

    /** For {@code cast(:x as timestamptz)}. */
    static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    static <T> long[] longs(Collection<T> items, ToLongFunction<T> value) {
        return items.stream().mapToLong(value).toArray();
    }

    /** For {@code cast(:x as timestamptz[])} and other types that the driver has no array for. */
    static <T> @Nullable String[] texts(Collection<T> items, Function<T, ? extends @Nullable Object> value) {
        return items.stream()
                .map(value)
                .map(text -> text == null ? null : text.toString())
                .toArray(String[]::new);
    }

    static @Nullable Long micros(@Nullable Duration span) {
        return span == null ? null : span.toNanos() / 1_000;
    }
}
