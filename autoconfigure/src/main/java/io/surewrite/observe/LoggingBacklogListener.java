package io.surewrite.observe;

import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.DeadLetter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what is lost, or may be, unless somebody acts. Neither values nor the server's messages, which may hold some. */
public final class LoggingBacklogListener implements BacklogListener {

    private static final Logger log = LoggerFactory.getLogger(LoggingBacklogListener.class);

    /** Creates the listener. */
    public LoggingBacklogListener() {}

    @Override
    public void notKept(String operation, Throwable why) {
        log.warn(
                "{}: could not be kept in the backlog, {}",
                operation,
                why.getClass().getSimpleName());
    }

    @Override
    public void expired(String operation) {
        log.info("{}: expired before it could be done, dropped from the backlog", operation);
    }

    @Override
    public void died(DeadLetter letter) {
        log.warn(
                "{}: given up after it was kept, dead letter {}, {}", letter.operation(), letter.id(), letter.reason());
    }
}
