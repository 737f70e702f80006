package com.example;

import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A bean of a user that writes by a blocking template where Reactor wants blocking calls to be. */
public class WritesElsewhere {

    private final CqlOperations cql;

    public WritesElsewhere(CqlOperations cql) {
        this.cql = cql;
    }

    @Idempotent
    public Mono<Boolean> save(UUID id) {
        return Mono.fromCallable(() -> cql.execute("INSERT INTO note (id, text) VALUES (?, 'x')", id))
                .subscribeOn(Schedulers.boundedElastic());
    }
}
