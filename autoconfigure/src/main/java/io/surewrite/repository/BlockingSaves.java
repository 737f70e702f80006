package io.surewrite.repository;

import io.surewrite.overwrite.RowOverwrites;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** Saves by overwriting. */
final class BlockingSaves implements SaveInterceptor.Saves {

    private final Supplier<RowOverwrites> overwrites;

    private BlockingSaves(Supplier<RowOverwrites> overwrites) {
        this.overwrites = overwrites;
    }

    static BlockingSaves with(BeanFactory beans) {
        return new BlockingSaves(SingletonSupplier.of(() -> beans.getBean(RowOverwrites.class)));
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
