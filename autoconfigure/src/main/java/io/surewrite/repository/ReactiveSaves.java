package io.surewrite.repository;

import io.surewrite.overwrite.ReactiveRowOverwrites;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Flux;

/** Saves by overwriting, reactively. */
final class ReactiveSaves implements SaveInterceptor.Saves {

    private final Supplier<ReactiveRowOverwrites> overwrites;

    /**
     * @param overwrites asked at the first save
     */
    ReactiveSaves(Supplier<ReactiveRowOverwrites> overwrites) {
        this.overwrites = SingletonSupplier.of(overwrites);
    }

    @Override
    public Object save(Object entity) {
        return overwrites.get().overwrite(entity);
    }

    @Override
    public Object saveAll(Object entities) {
        return entities instanceof Publisher<?> stream
                ? Flux.from(stream).concatMap(overwrites.get()::overwrite)
                : overwrites.get().overwriteAll((Iterable<?>) entities);
    }
}
