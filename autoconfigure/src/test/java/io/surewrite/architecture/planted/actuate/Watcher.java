package io.surewrite.architecture.planted.actuate;

/** Breaks nothing itself. */
public final class Watcher {}
