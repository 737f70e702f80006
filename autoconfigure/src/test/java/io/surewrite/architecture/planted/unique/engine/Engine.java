package io.surewrite.architecture.planted.unique.engine;

/** Below the API. */
public record Engine() {}
