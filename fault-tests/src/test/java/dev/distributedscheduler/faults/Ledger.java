package dev.distributedscheduler.faults;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import dev.distributedscheduler.faults.app.LedgerEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What all handlers did, by their own account. */
record Ledger(List<LedgerEntry> entries) {

    static final String SUFFIX = ".ledger";

    static Ledger in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return new Ledger(files.filter(file -> file.toString().endsWith(SUFFIX))
                    .flatMap(Ledger::wholeLines)
                    .map(LedgerEntry::parse)
                    .toList());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A process may have been killed, or is still busy, in the middle of the last one. */
    private static Stream<String> wholeLines(Path file) {
        try {
            String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Ledger within(Period period) {
        return only(entry -> period.contains(entry.tick()));
    }

    Ledger of(String job) {
        return only(entry -> entry.job().equals(job));
    }

    private Ledger only(Predicate<LedgerEntry> condition) {
        return new Ledger(entries.stream().filter(condition).toList());
    }

    Set<Tick> ticks() {
        return entries.stream()
                .map(entry -> new Tick(entry.job(), entry.tick()))
                .collect(toSet());
    }

    /** Ticks that became more than one run, and attempts that were executed more than once. */
    Set<Object> duplicates() {
        Map<Tick, Set<Long>> runs = entries.stream()
                .collect(groupingBy(entry -> new Tick(entry.job(), entry.tick()), mapping(LedgerEntry::run, toSet())));
        Map<Long, Long> executions = entries.stream().collect(groupingBy(LedgerEntry::token, counting()));
        Set<Object> duplicates = new HashSet<>();
        runs.entrySet().stream().filter(tick -> tick.getValue().size() > 1).forEach(duplicates::add);
        entries.stream().filter(entry -> executions.get(entry.token()) > 1).forEach(duplicates::add);
        return duplicates;
    }

    /** Executions of runs that had been attempted before. */
    List<LedgerEntry> repetitions() {
        return only(entry -> entry.attempt() > 1).entries();
    }

    Map<String, Long> countByNode() {
        return new TreeMap<>(entries.stream().collect(groupingBy(LedgerEntry::node, counting())));
    }
}
