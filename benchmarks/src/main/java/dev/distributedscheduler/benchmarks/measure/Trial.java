package dev.distributedscheduler.benchmarks.measure;

import dev.distributedscheduler.benchmarks.contestant.Conditions.Tuning;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.database.BenchmarkDatabase;
import dev.distributedscheduler.benchmarks.database.BenchmarkServer;
import dev.distributedscheduler.benchmarks.node.Node;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One contestant on a database of its own, with the nodes that a measure wants; nothing of it remains. */
public final class Trial implements AutoCloseable {

    private final Contestant contestant;
    private final Sizes sizes;
    private final BenchmarkDatabase database;
    private final List<Node> nodes = new ArrayList<>();

    public Trial(Contestant contestant, Sizes sizes, BenchmarkServer server) throws SQLException {
        this.contestant = contestant;
        this.sizes = sizes;
        this.database = server.createDatabase();
        try {
            contestant.createTables(database.dataSource());
        } catch (SQLException | RuntimeException failure) {
            database.close();
            throw failure;
        }
    }

    Contestant contestant() {
        return contestant;
    }

    Sizes sizes() {
        return sizes;
    }

    BenchmarkDatabase database() {
        return database;
    }

    /** JVMs in which nothing is open yet. */
    List<Node> launch(int count) {
        List<Node> launched = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Node node = Node.launch(contestant, database.url(), database.user(), database.password());
            nodes.add(node);
            launched.add(node);
        }
        return launched;
    }

    /** JVMs with an instance each that is set up for load and does not execute yet. */
    List<Node> open(int count) {
        List<Node> opened = launch(count);
        opened.forEach(node -> node.open(Tuning.FOR_LOAD, 0));
        return opened;
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        database.close();
    }
}
