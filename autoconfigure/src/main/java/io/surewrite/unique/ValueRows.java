package io.surewrite.unique;

import java.util.List;

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

    @Override
    default boolean isNaturalKey(UniqueConstraint constraint) {
        return false;
    }
}
