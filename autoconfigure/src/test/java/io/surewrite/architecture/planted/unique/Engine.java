package io.surewrite.architecture.planted.unique;

import io.surewrite.internal.Internal;

/** Public for another package. */
@Internal
public final class Engine {}
