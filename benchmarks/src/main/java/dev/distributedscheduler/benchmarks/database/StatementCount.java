package dev.distributedscheduler.benchmarks.database;

/** Counts what a database is asked, without counting itself: it asks from another database. */
public final class StatementCount {

    private final BenchmarkDatabase administration;
    private final String question;
    private final String what;

    private StatementCount(BenchmarkDatabase administration, String question, String what) {
        this.administration = administration;
        this.question = question;
        this.what = what;
    }

    /**
     * Counts in connections that are opened from now on: statements where the server can count them, transactions elsewhere.
     */
    public static StatementCount of(BenchmarkDatabase database) {
        BenchmarkDatabase administration = database.administration();
        String name = database.name();
        if (!administration.text("show shared_preload_libraries").contains("pg_stat_statements")) {
            return new StatementCount(
                    administration,
                    "select xact_commit + xact_rollback from pg_stat_database where datname = '%s'".formatted(name),
                    "transactions");
        }
        administration.execute("create extension if not exists pg_stat_statements");
        administration.execute("alter database %s set pg_stat_statements.track = 'top'".formatted(name));
        return new StatementCount(administration, """
                select coalesce(sum(s.calls), 0)::bigint
                from pg_stat_statements s join pg_database d on d.oid = s.dbid
                where d.datname = '%s'
                """.formatted(name), "statements");
    }

    public long now() {
        return administration.number(question);
    }

    /** What is counted. */
    public String what() {
        return what;
    }
}
