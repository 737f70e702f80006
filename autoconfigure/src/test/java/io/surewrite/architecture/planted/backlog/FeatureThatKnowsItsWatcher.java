package io.surewrite.architecture.planted.backlog;

import io.surewrite.architecture.planted.actuate.Watcher;

/** Should announce, not call. */
record FeatureThatKnowsItsWatcher(Watcher watcher) {}
