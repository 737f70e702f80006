package io.surewrite.retry.engine;

import io.surewrite.cql.WriteKeeper;
import io.surewrite.cql.WriteReceipt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What to do with a write that is given up although it could succeed later. */
public record Fallback<T extends @Nullable Object>(WriteKeeper keeper, Function<WriteReceipt, T> answer) {}
