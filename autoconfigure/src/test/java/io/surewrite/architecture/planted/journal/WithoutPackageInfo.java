package io.surewrite.architecture.planted.journal;

/** Its package says nothing about null. */
final class WithoutPackageInfo {}
