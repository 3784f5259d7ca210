package dev.distributedscheduler.benchmarks;

import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.database.BenchmarkServer;
import dev.distributedscheduler.benchmarks.measure.FailedCheck;
import dev.distributedscheduler.benchmarks.measure.Measure;
import dev.distributedscheduler.benchmarks.measure.Trial;
import dev.distributedscheduler.benchmarks.report.Page;
import dev.distributedscheduler.benchmarks.report.Results;
import java.util.List;

/** Puts every measure to every contestant, in turn, and writes down what came out. */
public final class Benchmarks {

    private final Options options;
    private final Results results = new Results();

    private Benchmarks(Options options) {
        this.options = options;
    }

    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException misunderstood) {
            System.err.println(misunderstood.getMessage());
            System.exit(2);
            return;
        }
        Benchmarks benchmarks = new Benchmarks(options);
        benchmarks.run("benchmarks/run " + String.join(" ", args));
        System.exit(benchmarks.results.isFailed() ? 1 : 0);
    }

    private void run(String command) throws Exception {
        try (BenchmarkServer server = server()) {
            Page page = new Page(server.describe(), command);
            for (Measure measure : options.measures()) {
                List<Contestant> contestants =
                        options.contestants().stream().filter(measure::suits).toList();
                for (int repeat = 1; repeat <= options.repeats(); repeat++) {
                    for (Contestant contestant : contestants) {
                        System.err.printf("%s, repeat %d: %s%n", measure.name(), repeat, contestant.name());
                        attempt(measure, contestant, server);
                    }
                }
                page.write(options.out(), results, options.measures(), options.contestants());
            }
        }
        System.out.println(results.table());
        System.out.println("\nFailed checks\n" + results.failures());
    }

    private BenchmarkServer server() {
        return options.url() == null
                ? BenchmarkServer.start()
                : BenchmarkServer.at(options.url(), options.user(), options.password());
    }

    private void attempt(Measure measure, Contestant contestant, BenchmarkServer server) {
        try (Trial trial = new Trial(contestant, options.sizes(), server)) {
            measure.run(trial).forEach((figure, value) -> {
                System.err.printf("    %s: %,.2f %s%n", figure.name(), value, figure.unit());
                results.add(measure.name(), contestant.name(), figure, value);
            });
        } catch (FailedCheck failed) {
            results.fail(measure.name(), contestant.name(), String.valueOf(failed.getMessage()));
        } catch (Exception broken) {
            broken.printStackTrace();
            results.fail(measure.name(), contestant.name(), broken.toString());
        }
    }
}
