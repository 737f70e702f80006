package io.surewrite.unique;

import java.util.List;
import java.util.Optional;

/** The rows of values that are no columns of an entity, as if each owner were an entity with one column. */
interface ValueRows extends ConstrainedRows {

    /** {@return a write that gives the owner the value} */
    EntityWrite write(String owner, UniqueValue value);

    /** {@return the one constraint} */
    UniqueConstraint constraint();

    @Override
    default List<UniqueConstraint> constraints() {
        return List.of(constraint());
    }

    /** Of the owner, in the table of this constraint. */
    @Override
    default Optional<UniqueConstraint> rowClaim() {
        return Optional.of(UniqueConstraint.on("owner of " + constraint().name(), "owner"));
    }

    @Override
    default boolean isNaturalKey(UniqueConstraint constraint) {
        return false;
    }
}
