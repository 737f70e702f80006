package io.surewrite.calls;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What an application does in methods of its own: several statements in each, sent in every way there is. */
class Desk {

    /** One row at most. */
    private static final String LATEST = "SELECT latest FROM note WHERE board = ? LIMIT 1";

    private final Notes notes;
    private final CassandraTemplate template;
    private final AsyncCassandraTemplate async;
    private final ReactiveCassandraTemplate reactive;
    private final Assistant assistant;
    private final WriteTimestamps timestamps;
    private final Map<String, Long> decided = new ConcurrentHashMap<>();

    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();

    private volatile Plant plant = Plant.NOTHING;

    Desk(
            Notes notes,
            CassandraTemplate template,
            AsyncCassandraTemplate async,
            ReactiveCassandraTemplate reactive,
            Assistant assistant,
            WriteTimestamps timestamps) {
        this.notes = notes;
        this.template = template;
        this.async = async;
        this.reactive = reactive;
        this.assistant = assistant;
        this.timestamps = timestamps;
    }

    public void plant(Plant planted) {
        plant = planted;
    }

    /** When the content of a note was decided, in nanoseconds of this JVM. */
    public Map<String, Long> decided() {
        return decided;
    }

    /** How many attempts of a call that may be kept have begun. */
    public int attempts(Note note) {
        return attempts.getOrDefault(note.mark(), 0);
    }

    @Idempotent
    public void pin(List<Note> all) {
        attempt(() -> {
            notes.save(all.get(0));
            all.stream().skip(1).forEach(template::insert);
            return null;
        });
    }

    @Idempotent
    public CompletableFuture<Void> pinLater(List<Note> all) {
        return attempt(
                () -> CompletableFuture.allOf(all.stream().map(async::insert).toArray(CompletableFuture<?>[]::new)));
    }

    @Idempotent
    public Mono<Void> pinReactively(List<Note> all) {
        return Flux.fromIterable(all).concatMap(reactive::insert).then();
    }

    @Idempotent
    public void pinAtOnce(List<Note> all) {
        attempt(() -> template.batchOps().insert(all).execute());
    }

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    public void keep(Note note) {
        attempt(() -> template.insert(note));
    }

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    public void keepAtOnce(List<Note> all) {
        attempt(() -> template.batchOps().insert(all).execute());
    }

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    public CompletableFuture<WriteReceipt> keepLater(Note note) {
        attempts.merge(note.mark(), 1, Integer::sum);
        return attempt(() -> async.insert(note).thenApply(written -> WriteReceipt.WRITTEN));
    }

    /** On another thread, to which Reactor carries the scope. */
    @Idempotent
    public Mono<Void> pinElsewhere(List<Note> all) {
        return Mono.<Void>fromRunnable(() -> all.forEach(template::insert)).subscribeOn(Schedulers.boundedElastic());
    }

    /** Its parts are sure by themselves, and one of them wants a timestamp of its own: all are one write. */
    @Idempotent
    public void pinByOthers(Note first, Note second, Note third) {
        attempt(() -> {
            assistant.pin(first);
            WriteScope.at(1).call(() -> notes.save(second));
            assistant.pinLater(third).join();
            return null;
        });
    }

    @Idempotent
    @WithLease(key = "#note.board", ttl = "30s", waitAtMost = "30s")
    public void appendUnderLease(Note note, List<Note> others) {
        append(note, others);
    }

    @Idempotent
    public void append(Note note, List<Note> others) {
        attempt(() -> {
            decided.put(note.mark(), System.nanoTime());
            List<String> latest = template.getCqlOperations().queryForList(LATEST, String.class, note.board());
            template.insert(note.after(String.join("", latest)));
            others.forEach(notes::save);
            return null;
        });
    }

    @Idempotent
    public CompletableFuture<Note> appendLater(Note note) {
        decided.put(note.mark(), System.nanoTime());
        WriteScope scope = Objects.requireNonNull(WriteScope.current());
        return async.getAsyncCqlOperations()
                .queryForList(LATEST, String.class, note.board())
                .thenCompose(latest -> scope.call(() -> async.insert(note.after(String.join("", latest)))))
                .toCompletableFuture();
    }

    @Idempotent
    public Mono<Note> appendReactively(Note note) {
        return Mono.defer(() -> {
            decided.put(note.mark(), System.nanoTime());
            return reactive.getReactiveCqlOperations()
                    .queryForFlux(LATEST, String.class, note.board())
                    .next()
                    .defaultIfEmpty("")
                    .flatMap(latest -> reactive.insert(note.after(latest)));
        });
    }

    private <T> T attempt(Supplier<T> body) {
        WriteScope scope = WriteScope.current();
        if (plant != Plant.TIMESTAMP_OF_THE_ATTEMPT || scope == null) {
            return body.get();
        }
        WriteScope.Opened opened = new WriteScope(
                        timestamps.draw(),
                        scope.idempotent(),
                        scope.retried(),
                        scope.level(),
                        scope.sent(),
                        scope.notes(),
                        scope.statements())
                .openInstead();
        try {
            return body.get();
        } finally {
            opened.close();
        }
    }
}
