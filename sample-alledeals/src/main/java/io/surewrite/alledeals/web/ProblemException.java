package io.surewrite.alledeals.web;

import java.util.List;
import org.springframework.web.ErrorResponseException;

/** A refusal: a problem body for a program, a page for a person. */
public final class ProblemException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    private final transient List<FieldProblem> fields;

    public ProblemException(ProblemType type, String detail) {
        this(type, detail, List.of());
    }

    public ProblemException(ProblemType type, FieldProblem field) {
        this(type, "%s %s.".formatted(field.field(), field.message()), List.of(field));
        with("errors", fields);
    }

    private ProblemException(ProblemType type, String detail, List<FieldProblem> fields) {
        super(type.status(), type.with(detail), null);
        this.fields = fields;
    }

    /** Adds a member to the problem body. */
    public ProblemException with(String name, Object value) {
        getBody().setProperty(name, value);
        return this;
    }

    /** Names the values that broke a rule. */
    public List<FieldProblem> fields() {
        return fields;
    }
}
