package io.surewrite.alledeals.item;

import io.surewrite.write.ConditionalWrites;
import java.util.Optional;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.InsertOptions;

/** Found by Spring Data by its name. */
class NewItemsImpl implements NewItems {

    private static final InsertOptions IF_NOT_EXISTS = InsertOptions.builder()
            .withIfNotExists()
            .executionProfile(ConditionalWrites.PROFILE)
            .build();

    private final CassandraOperations cassandra;

    NewItemsImpl(CassandraOperations cassandra) {
        this.cassandra = cassandra;
    }

    @Override
    public Optional<Item> createIfAbsent(Item item) {
        EntityWriteResult<Item> result = cassandra.insert(item, IF_NOT_EXISTS);
        // A rejected IF NOT EXISTS answers the whole row that stood in its way.
        return result.wasApplied()
                ? Optional.empty()
                : Optional.of(cassandra
                        .getConverter()
                        .read(Item.class, result.getRows().get(0)));
    }
}
