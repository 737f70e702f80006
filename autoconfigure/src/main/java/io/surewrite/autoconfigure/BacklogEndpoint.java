package io.surewrite.autoconfigure;

import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows what waits and what died, without values. Replaying, discarding and exporting, which shows values, need {@code
 * management.endpoint.backlog.access=unrestricted}.
 */
@Endpoint(id = "backlog", defaultAccess = Access.READ_ONLY)
record BacklogEndpoint(WriteBacklog writes) {

    private static final int MOST = 500;

    /** EXPORT shows dead letters with their values. */
    public enum Action {
        REPLAY,
        DISCARD,
        EXPORT
    }

    public record Shown(BacklogSize size, @Nullable String lastFailure, List<Summary> deadLetters) {}

    /** A dead letter without values. */
    public record Summary(long id, String operation, Instant died, DeadLetter.Reason reason) {}

    public record Done(int count, @Nullable List<DeadLetter> letters) {}

    @ReadOperation
    public Shown backlog() {
        return new Shown(
                writes.size(),
                writes.lastFailure(),
                writes.deadLetters(0, MOST).stream()
                        .map(letter -> new Summary(letter.id(), letter.operation(), letter.died(), letter.reason()))
                        .toList());
    }

    /** Acts on one letter, or, without an id, on the first 500. */
    @WriteOperation
    public Done act(Action action, @Nullable Long id) {
        List<DeadLetter> letters = id == null ? writes.deadLetters(0, MOST) : writes.deadLetters(id - 1, 1);
        List<DeadLetter> chosen = letters.stream()
                .filter(letter -> id == null || letter.id() == id)
                .toList();
        List<Long> ids = chosen.stream().map(DeadLetter::id).toList();
        return switch (action) {
            case REPLAY -> {
                writes.replay();
                yield new Done(writes.replayDeadLetters(ids), null);
            }
            case DISCARD -> new Done(writes.discardDeadLetters(ids), null);
            case EXPORT -> new Done(chosen.size(), chosen);
        };
    }
}
