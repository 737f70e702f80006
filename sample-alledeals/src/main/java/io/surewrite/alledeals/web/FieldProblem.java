package io.surewrite.alledeals.web;

/**
 * One value that breaks a rule.
 *
 * @param field its path in the request, such as {@code unitPrice} or {@code tags[2]}
 * @param message the rule, to be read after the field's name: "must be …"
 */
public record FieldProblem(String field, String message) {}
