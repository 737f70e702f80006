package io.surewrite.unique;

import org.springframework.dao.InvalidDataAccessApiUsageException;

/** A value that cannot be claimed, whatever others hold: too long, not valid Unicode, or of a type that has no comparable form. */
public class UnclaimableValueException extends InvalidDataAccessApiUsageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param constraint the constraint
     * @param problem what is wrong, without the value; follows the constraint's name
     */
    public UnclaimableValueException(UniqueConstraint constraint, String problem) {
        super("A value of the unique constraint '%s' %s".formatted(constraint.name(), problem));
    }
}
