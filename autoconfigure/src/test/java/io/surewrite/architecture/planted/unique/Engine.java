package io.surewrite.architecture.planted.unique;

import io.surewrite.write.Internal;

/** Public for another package. */
@Internal
public final class Engine {}
