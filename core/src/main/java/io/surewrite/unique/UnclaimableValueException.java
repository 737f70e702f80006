package io.surewrite.unique;

import io.surewrite.write.WriteFailures.CopyableFailure;
import java.util.ArrayList;
import java.util.List;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** A value that cannot be claimed, whatever others hold: too long, not valid Unicode, or of a type that has no comparable form. */
public class UnclaimableValueException extends InvalidDataAccessApiUsageException implements CopyableFailure {

    private final ArrayList<String> properties;

    public UnclaimableValueException(UniqueConstraint constraint, String problem) {
        super("A value of the unique constraint '%s' %s".formatted(constraint.name(), problem));
        properties = new ArrayList<>(constraint.properties());
    }

    private UnclaimableValueException(UnclaimableValueException original) {
        super(String.valueOf(original.getMessage()));
        properties = new ArrayList<>(original.properties);
    }

    /** {@return the properties of the constraint} */
    public List<String> properties() {
        return List.copyOf(properties);
    }

    @Override
    public UnclaimableValueException copy() {
        return new UnclaimableValueException(this);
    }
}
