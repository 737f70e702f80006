package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One conditional update after another of a row that nobody else wants, without anything of ours: how long it is without an
 * answer tells whether the cluster and the machine do what every lease and every unique value rests on. Where they do not,
 * nobody can hold anything, and {@link LeaseChecker} does not blame the leases.
 */
final class BareUpdates implements Trial {

    /** On a quiet machine an answer takes milliseconds. */
    private static final Duration PROMPT = Duration.ofSeconds(1);

    private static final Duration BETWEEN_UPDATES = Duration.ofMillis(200);
    private static final Duration STEP = Duration.ofMillis(20);

    private @Nullable ConfigurableApplicationContext application;
    private @Nullable CqlSession session;
    private @Nullable BoundStatement update;

    /** Since when there is none, or 0; an answer ends it. */
    private long unansweredSince;

    private long answered;

    @Override
    public void begin(Run run) {
        application = run.connection().start(UniqueFaults.Bare.class);
        session = application.getBean(CqlSession.class);
        session.execute("CREATE TABLE pulse (id int PRIMARY KEY, beats int)");
        session.execute("INSERT INTO pulse (id, beats) VALUES (0, 0)");
        PreparedStatement prepared = session.prepare("UPDATE pulse SET beats = 1 WHERE id = 0 IF EXISTS");
        update = prepared.bind();
    }

    @Override
    public void look(History history) {
        long from = System.nanoTime();
        unansweredSince = unansweredSince == 0 ? from : unansweredSince;
        try {
            Objects.requireNonNull(session).execute(Objects.requireNonNull(update));
            answered++;
            if (System.nanoTime() - unansweredSince > PROMPT.toNanos()) {
                history.add(Event.UNANSWERED, "", 0, unansweredSince);
            }
            unansweredSince = 0;
            Thread.sleep(BETWEEN_UPDATES.toMillis());
        } catch (DriverException unknown) {
            // The time counts until one is answered.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Verdict judge(List<Event> events) {
        List<Event> faults = only(events, Event.NODE_FAULT);
        List<Event> silences = only(events, Event.UNANSWERED);
        Duration quiet = Duration.ZERO;
        Duration silent = Duration.ZERO;
        for (Event run : only(events, Event.RUN)) {
            for (long at = run.from(); at < run.to(); at += STEP.toNanos()) {
                if (!isWithin(faults, at)) {
                    quiet = quiet.plus(STEP);
                    silent = isWithin(silences, at) ? silent.plus(STEP) : silent;
                }
            }
        }
        String summary = ("Bare conditional updates: %d answered; for %d s of the %d s in which no node was disturbed,"
                        + " none within %d ms")
                .formatted(answered, silent.toSeconds(), quiet.toSeconds(), PROMPT.toMillis());
        return new Verdict(summary, answered, answered == 0 ? List.of("no bare update was ever answered") : List.of());
    }

    private static List<Event> only(List<Event> events, String kind) {
        return events.stream().filter(event -> event.is(kind)).toList();
    }

    private static boolean isWithin(List<Event> events, long at) {
        return events.stream().anyMatch(event -> event.from() <= at && at < event.to());
    }

    @Override
    public void close() {
        if (application != null) {
            application.close();
        }
    }
}
