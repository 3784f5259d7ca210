package dev.distributedscheduler.worker;

import dev.distributedscheduler.Progress;
import dev.distributedscheduler.store.RunReports;
import dev.distributedscheduler.store.RunReports.ProgressReport;
import java.util.Collection;
import java.util.List;

/** Writes what the attempts of this node told about their progress, in one statement, and only what is new. */
final class ProgressReporter {

    private final RunReports reports;

    ProgressReporter(RunReports reports) {
        this.reports = reports;
    }

    void report(Collection<Attempt> attempts) {
        List<ProgressReport> news = attempts.stream()
                .flatMap(attempt -> attempt.takeProgress().stream().map(told -> report(attempt, told)))
                .toList();
        if (!news.isEmpty()) {
            reports.progress(news);
        }
    }

    private static ProgressReport report(Attempt attempt, Progress progress) {
        return new ProgressReport(attempt.run(), progress);
    }
}
