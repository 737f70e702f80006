package io.surewrite.repository;

import io.surewrite.unique.UniqueConstraint;
import java.util.List;

/** Guards the table of a repository by some of its constraints. */
@FunctionalInterface
interface GuardedTables {

    GuardedEntities guarded(List<UniqueConstraint> constraints);
}
