package dev.distributedscheduler.faults;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.distributedscheduler.faults.app.LedgerBegin;
import dev.distributedscheduler.faults.app.LedgerEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What all handlers did, by their own account.
 *
 * @param begins of all executions
 * @param entries of those that ended
 */
record Ledger(List<LedgerBegin> begins, List<LedgerEntry> entries) {

    static final String SUFFIX = ".ledger";

    static Ledger in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<String> lines = files.filter(file -> file.toString().endsWith(SUFFIX))
                    .flatMap(Ledger::wholeLines)
                    .toList();
            return new Ledger(
                    lines.stream()
                            .filter(LedgerBegin::isIn)
                            .map(LedgerBegin::parse)
                            .toList(),
                    lines.stream()
                            .filter(line -> !LedgerBegin.isIn(line))
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

    /** The executions of ticks in the period that ended. */
    Ledger within(Period period) {
        return new Ledger(List.of(), entries(entry -> entry.tick() != null && period.contains(entry.tick())));
    }

    Ledger of(String job) {
        return new Ledger(
                begins.stream().filter(begin -> begin.job().equals(job)).toList(),
                entries(entry -> entry.job().equals(job)));
    }

    Ledger ofRuns(Set<Long> runs) {
        return new Ledger(
                begins.stream().filter(begin -> runs.contains(begin.run())).toList(),
                entries(entry -> runs.contains(entry.run())));
    }

    private List<LedgerEntry> entries(Predicate<LedgerEntry> condition) {
        return entries.stream().filter(condition).toList();
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
        return entries(entry -> entry.attempt() > 1);
    }

    Map<String, Long> countByNode() {
        return new TreeMap<>(entries.stream().collect(groupingBy(LedgerEntry::node, counting())));
    }

    /** Who executes, or has executed, an attempt. */
    Optional<String> executorOf(long run, int attempt) {
        return begins.stream()
                .filter(begin -> begin.run() == run && begin.attempt() == attempt)
                .map(LedgerBegin::node)
                .findFirst();
    }

    /** Tokens of executions that began and never ended. */
    Set<Long> unended() {
        Set<Long> tokens = begins.stream().map(LedgerBegin::token).collect(toSet());
        entries.forEach(entry -> tokens.remove(entry.token()));
        return tokens;
    }

    boolean isExecuting(String node) {
        Set<Long> unended = unended();
        return begins.stream().anyMatch(begin -> begin.node().equals(node) && unended.contains(begin.token()));
    }

    /**
     * How many executions there were at once, at the worst moment; one that never ended lasted as long as its process.
     *
     * @param gone when processes that were killed had ended, by their nodes
     */
    int mostAtOnce(Map<String, Long> gone) {
        Map<Long, Long> ends = entries.stream()
                .collect(toMap(LedgerEntry::token, entry -> entry.monotonic().end()));
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (LedgerBegin begin : begins) {
            Long end = ends.getOrDefault(begin.token(), gone.getOrDefault(begin.node(), Long.MAX_VALUE));
            changes.merge(begin.nanos(), 1, Integer::sum);
            changes.merge(end, -1, Integer::sum);
        }
        int most = 0;
        int now = 0;
        for (int change : changes.values()) {
            now += change;
            most = Math.max(most, now);
        }
        return most;
    }
}
