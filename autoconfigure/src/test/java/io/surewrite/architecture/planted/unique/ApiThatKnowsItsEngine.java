package io.surewrite.architecture.planted.unique;

import io.surewrite.architecture.planted.unique.engine.Engine;

/** The wrong way round. */
public record ApiThatKnowsItsEngine(Engine engine) {}
