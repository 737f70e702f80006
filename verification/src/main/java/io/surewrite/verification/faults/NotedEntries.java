package io.surewrite.verification.faults;

import io.surewrite.unique.UniqueBy;

/** Rows of plain columns of which at most one has a label. */
@UniqueBy("label")
public interface NotedEntries extends GuardedEntries<NotedEntry> {}
