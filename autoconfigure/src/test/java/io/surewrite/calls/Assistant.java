package io.surewrite.calls;

import io.surewrite.retry.Idempotent;
import java.util.concurrent.CompletableFuture;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;

/** Another bean with sure methods, which joins the calls of those who use it. */
class Assistant {

    private final Notes notes;
    private final AsyncCassandraTemplate async;

    Assistant(Notes notes, AsyncCassandraTemplate async) {
        this.notes = notes;
        this.async = async;
    }

    @Idempotent
    public void pin(Note note) {
        notes.save(note);
    }

    @Idempotent
    public CompletableFuture<Note> pinLater(Note note) {
        return async.insert(note);
    }
}
