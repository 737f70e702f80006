package io.surewrite.autoconfigure;

import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.SqliteBacklogStore;

/** Opens stores; loaded only where SQLite is. */
final class SqliteStores {

    private SqliteStores() {}

    static BacklogStore open(BacklogProperties properties) {
        return new SqliteBacklogStore(
                properties.requiredDirectory(),
                properties.maxEntries(),
                properties.maxSize().toBytes());
    }
}
