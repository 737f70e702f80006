package io.surewrite.alledeals.web;

import org.springframework.http.HttpMethod;
import org.springframework.http.ProblemDetail;

/** What to say when Cassandra is away or slow. */
final class DatabaseTrouble {

    static final String RETRY_AFTER_SECONDS = "5";

    private DatabaseTrouble() {}

    /** A read failed and that is all; a write may have taken place although nobody heard. */
    static ProblemDetail problem(String httpMethod) {
        return isRead(httpMethod)
                ? ProblemType.DATABASE_UNAVAILABLE.with("Nothing is lost. Please try again in a moment.")
                : ProblemType.OUTCOME_UNKNOWN.with(
                        "The database did not confirm. Send the same request again: it is safe and settles it.");
    }

    private static boolean isRead(String httpMethod) {
        return HttpMethod.GET.matches(httpMethod) || HttpMethod.HEAD.matches(httpMethod);
    }
}
