package io.surewrite.verification.faults;

import io.surewrite.unique.UniqueBy;

/** Rows with collections of which at most one has a label. */
@UniqueBy("label")
public interface TaggedEntries extends GuardedEntries<TaggedEntry> {}
