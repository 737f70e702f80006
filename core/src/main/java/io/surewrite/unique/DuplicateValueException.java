package io.surewrite.unique;

import io.surewrite.write.WriteFailures.CopyableFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;

/** Another row has the value. Nothing was written, and what was sent will not take effect later. */
public class DuplicateValueException extends DuplicateKeyException implements CopyableFailure {

    private final transient List<Violation> violations;

    public DuplicateValueException(List<Violation> violations, boolean valuesInMessage) {
        super("Another row has the value of: "
                + violations.stream()
                        .map(violation -> valuesInMessage ? violation.withValues() : violation.toString())
                        .collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    private DuplicateValueException(DuplicateValueException original) {
        super(String.valueOf(original.getMessage()));
        this.violations = original.violations();
    }

    /** {@return every constraint that was found violated} */
    public List<Violation> violations() {
        return violations == null ? List.of() : violations;
    }

    @Override
    public DuplicateValueException copy() {
        return new DuplicateValueException(this);
    }

    /**
     * A constraint that a write would have violated.
     *
     * @param constraint its name
     * @param properties the properties that it is made of
     * @param values what is taken: a text for each property, after the normalisers, or null; not for messages and logs unless
     *     asked for
     */
    public record Violation(String constraint, List<String> properties, List<@Nullable String> values) {

        /** Copies the lists. */
        public Violation {
            properties = List.copyOf(properties);
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }

        /** {@return the constraint and its properties with what is taken, for messages that may show it} */
        public String withValues() {
            return "%s = %s"
                    .formatted(this, values.stream().map(Objects::toString).collect(Collectors.joining(", ")));
        }

        /** Leaves out the values, and properties that the constraint is named for. */
        @Override
        public String toString() {
            return constraint.endsWith("." + String.join("+", properties))
                    ? constraint
                    : "%s (%s)".formatted(constraint, String.join(", ", properties));
        }
    }
}
