package io.surewrite.verification.report;

import io.surewrite.verification.StartupBenchmark;
import io.surewrite.verification.backlog.BacklogBenchmark;
import io.surewrite.verification.journal.JournalBenchmark;
import io.surewrite.verification.lease.LeaseBenchmark;
import io.surewrite.verification.overhead.OverheadBenchmark;
import io.surewrite.verification.overwrite.OverwriteBenchmark;
import io.surewrite.verification.unique.UniqueBenchmark;
import java.util.Locale;

/** What there is to measure, in the order of the report, and how it is shortened for it. */
enum Benchmark {
    LEASE("Leases", LeaseBenchmark.class, "1,3500,2,18,10000,4,5", "leases.md#costs"),
    UNIQUE("Unique values", UniqueBenchmark.class, "1,40,20000,4+16+64,10,18", "unique.md#costs"),
    OVERHEAD("Retries", OverheadBenchmark.class, "12,idempotent", "retry.md#what-it-costs"),
    OVERHEAD_KEPT("Retries with a backlog", OverheadBenchmark.class, "7,kept", "backlog.md#what-it-costs"),
    OVERWRITE(
            "Overwrites",
            OverwriteBenchmark.class,
            "target/report/overwrite.md,3,3",
            "overwrites.md#what-is-left-on-disk"),
    BACKLOG("Backlog", BacklogBenchmark.class, "2,3", "backlog.md#what-it-costs"),
    JOURNAL("Journal", JournalBenchmark.class, "1000,100000", "journal.md#how-wide-partitions-get"),
    STARTUP("Start of the embedded server", StartupBenchmark.class, "2", "embedded.md");

    final String title;
    final Class<?> program;
    final String argument;
    final String page;

    Benchmark(String title, Class<?> program, String argument, String page) {
        this.title = title;
        this.program = program;
        this.argument = argument;
        this.page = page;
    }

    /** The name under which its run is kept. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Benchmark of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
