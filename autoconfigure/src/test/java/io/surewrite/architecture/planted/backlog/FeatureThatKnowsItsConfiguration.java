package io.surewrite.architecture.planted.backlog;

import io.surewrite.architecture.planted.autoconfigure.OpenAutoConfiguration;

/** Should take settings. */
record FeatureThatKnowsItsConfiguration(OpenAutoConfiguration configuration) {}
