package io.surewrite.architecture.planted.backlog;

import io.surewrite.architecture.planted.observe.Watcher;

/** Should announce, not call. */
record FeatureThatKnowsItsWatcher(Watcher watcher) {}
