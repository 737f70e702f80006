package io.surewrite.unique;

/**
 * Which value of which constraint.
 *
 * @param constraint the constraint's name
 * @param value the value, encoded
 */
record ClaimKey(String constraint, String value) {}
