package io.surewrite.architecture.planted.backlog;

import io.surewrite.architecture.planted.autoconfigure.BeanStyleProperties;

/** Should take settings. */
record FeatureThatKnowsItsProperties(BeanStyleProperties properties) {}
