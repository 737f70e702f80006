package io.surewrite.alledeals.web;

/** One value that breaks a rule. */
public record FieldProblem(String field, String message) {}
