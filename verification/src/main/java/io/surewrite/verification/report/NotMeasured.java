package io.surewrite.verification.report;

/** What a user may want to compare with, but no benchmark does, and why. */
enum NotMeasured {
    SHEDLOCK(
            "ShedLock's own Cassandra provider",
            "its requests, prepared, are measured in its place: it sends literal values, which the server parses anew"),
    SPRING_INTEGRATION(
            "Spring Integration's `JdbcLockRegistry` itself",
            "it runs on JDBC; its loop, over the lock written by hand, is measured in its place"),
    TESTCONTAINERS("Start of Testcontainers' Cassandra", "no benchmark runs containers; it would need a Docker engine"),
    GROWTH(
            "1,000,000 claims",
            "they take too long for the shortened run, which has fewer: `-Pbenchmark-unique` measures them");

    final String what;
    final String why;

    NotMeasured(String what, String why) {
        this.what = what;
        this.why = why;
    }
}
