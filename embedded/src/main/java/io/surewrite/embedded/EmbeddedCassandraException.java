package io.surewrite.embedded;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An embedded Cassandra could not do what was asked. The message is {@link #getProblem()}, what is wrong, and
 * {@link #getAction()}, how to fix it. After a failed start nothing of the server is left running.
 */
public final class EmbeddedCassandraException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What kind of thing is wrong. */
    public enum Reason {
        /** An option makes no sense by itself. */
        INVALID_OPTION,
        /** The Cassandra version does not exist, or cannot be downloaded. */
        VERSION_UNAVAILABLE,
        /** No installed JDK can run this Cassandra version, or not with these settings. */
        NO_USABLE_JDK,
        /** The port that was asked for is in use. */
        PORT_TAKEN,
        /** The machine lacks 127.0.0.2 and further addresses. */
        LOOPBACK_MISSING,
        /** The directory cannot be created, read or written. */
        DIRECTORY_UNUSABLE,
        /** Another embedded Cassandra uses the directory. */
        DIRECTORY_IN_USE,
        /** The server ended before it answered. */
        SERVER_DIED,
        /** The server did not answer in time. */
        START_TIMEOUT,
        /** The server refused a statement. */
        STATEMENT_FAILED,
        /** A node could not do what an operator wants, such as a repair. */
        OPERATION_FAILED,
        /** The operating system or this cluster cannot do this. */
        UNSUPPORTED
    }

    private final Reason reason;
    private final String problem;
    private final String action;

    EmbeddedCassandraException(Reason reason, String problem, String action) {
        this(reason, problem, action, null);
    }

    EmbeddedCassandraException(Reason reason, String problem, String action, @Nullable Throwable cause) {
        super(problem + System.lineSeparator() + action, cause);
        this.reason = reason;
        this.problem = problem;
        this.action = action;
    }

    /**
     * Tells what kind of thing is wrong.
     *
     * @return the reason
     */
    public Reason getReason() {
        return reason;
    }

    /**
     * Says what is wrong.
     *
     * @return a sentence, with the end of the server's log where that helps
     */
    public String getProblem() {
        return problem;
    }

    /**
     * Says what to do about it.
     *
     * @return one or two sentences
     */
    public String getAction() {
        return action;
    }
}
