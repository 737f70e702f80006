package io.surewrite.architecture.planted.observe;

/** Breaks nothing itself. */
public final class Watcher {}
