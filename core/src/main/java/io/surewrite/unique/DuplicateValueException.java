package io.surewrite.unique;

import io.surewrite.cql.CopyableFailure;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.dao.DuplicateKeyException;

/** Another row has the value. Nothing was written, and what was sent will not take effect later. */
public class DuplicateValueException extends DuplicateKeyException implements CopyableFailure {

    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    /**
     * Creates the exception.
     *
     * @param violations every violated constraint
     * @param valuesInMessage whether the message shows the values; they may be private
     */
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

    /**
     * {@return every constraint that was found violated}
     */
    public List<Violation> violations() {
        return violations == null ? List.of() : violations;
    }

    @Override
    public DuplicateValueException copy() {
        return new DuplicateValueException(this);
    }
}
