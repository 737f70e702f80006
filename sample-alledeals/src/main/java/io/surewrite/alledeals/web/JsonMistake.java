package io.surewrite.alledeals.web;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a JSON body, in words for its author: no names of classes. */
record JsonMistake(@Nullable FieldProblem field, String detail) {

    static JsonMistake in(HttpMessageNotReadableException unreadable) {
        if (!(unreadable.getCause() instanceof JacksonException json)) {
            return new JsonMistake(null, "The request needs a JSON body.");
        }
        String path = path(json.getPath());
        if (path.isEmpty()) {
            return new JsonMistake(null, "The body is not the JSON object that is expected" + at(json.getLocation()));
        }
        return new JsonMistake(new FieldProblem(path, rule(json)), "");
    }

    /** What a value of this type looks like, to be read after "must be". */
    static String expected(@Nullable Class<?> type) {
        if (type == UUID.class) {
            return "a UUID such as 6f9619ff-8b86-4d11-b42d-00cf4fc964ff";
        } else if (type == Instant.class) {
            return "an instant such as 2026-12-24T18:00:00Z";
        } else if (type == Integer.class || type == int.class) {
            return "a whole number of at most 2147483647";
        } else if (type == YearMonth.class) {
            return "a month such as 2026-12";
        } else if (type == BigDecimal.class) {
            return "a number such as 12.50";
        } else if (type != null && Collection.class.isAssignableFrom(type)) {
            return "a list of texts";
        }
        return "a text";
    }

    private static String rule(JacksonException json) {
        if (json instanceof UnrecognizedPropertyException) {
            return "is not known here";
        } else if (json instanceof InputCoercionException coercion) {
            return "must be " + expected(coercion.getTargetType());
        } else if (json instanceof MismatchedInputException mismatch) {
            return "must be " + expected(mismatch.getTargetType());
        }
        return "cannot be read";
    }

    private static String path(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String at(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? "."
                : " (line %d, column %d).".formatted(location.getLineNr(), location.getColumnNr());
    }
}
