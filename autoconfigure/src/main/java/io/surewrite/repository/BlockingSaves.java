package io.surewrite.repository;

import io.surewrite.overwrite.RowOverwrites;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/** Saves by overwriting. */
final class BlockingSaves implements SaveInterceptor.Saves {

    private final Supplier<RowOverwrites> overwrites;

    /**
     * @param overwrites asked at the first save
     */
    BlockingSaves(Supplier<RowOverwrites> overwrites) {
        this.overwrites = SingletonSupplier.of(overwrites);
    }

    @Override
    public Object save(Object entity) {
        return overwrites.get().overwrite(entity);
    }

    @Override
    public Object saveAll(Object entities) {
        return overwrites.get().overwriteAll((Iterable<?>) entities);
    }
}
