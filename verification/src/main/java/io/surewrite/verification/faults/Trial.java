package io.surewrite.verification.faults;

import java.io.IOException;
import java.util.List;

/** What clients do, and must be able to rely on, while nodes and clients are disturbed. */
interface Trial {

    /** Makes the tables and starts the clients. */
    void begin(Run run) throws IOException;

    /** What may be looked at while clients are at work; runs again and again, until the disturbances are over. */
    default void look(Run run) {}

    /** Looks at what is left when all clients have ended. */
    default void lookAtTheEnd(Run run) throws InterruptedException {}

    /** Says what happened. */
    Verdict judge(List<Event> events);

    /** What came out. */
    record Verdict(String summary, long operations, List<String> violations) {}
}
