package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.report.Figure;
import java.util.Map;

/** One question, put to one contestant at a time. */
public interface Measure {

    /** As the command line and the results call it. */
    String name();

    /** What exactly is done, for the results. */
    String description();

    boolean suits(Contestant contestant);

    /** Does it once, on the fresh database of the trial. */
    Map<Figure, Double> run(Trial trial) throws Exception;
}
