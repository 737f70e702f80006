package io.surewrite.architecture.planted.write;

import io.surewrite.architecture.planted.unique.ApiThatKnowsItsEngine;

/** Looks up. */
record SharedThatKnowsAPromise(ApiThatKnowsItsEngine promise) {}
