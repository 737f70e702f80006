package io.surewrite.calls;

import io.surewrite.retry.Idempotent;
import org.reactivestreams.Publisher;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

interface ReactiveNotes extends ReactiveCassandraRepository<Note, MapId> {

    @Override
    @Idempotent
    <S extends Note> Mono<S> save(S note);

    @Override
    @Idempotent
    <S extends Note> Flux<S> saveAll(Iterable<S> notes);

    @Override
    @Idempotent
    <S extends Note> Flux<S> saveAll(Publisher<S> notes);
}
