package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.List;

/**
 * A part of a unique value: a column, or a field of a frozen user-defined type in a column.
 *
 * @param property its name for people, used in messages
 * @param column the column
 * @param fields the way to the field inside the column's user-defined type; empty for the column itself
 * @param normaliser what counts as equal
 */
public record UniqueComponent(
        String property, CqlIdentifier column, List<CqlIdentifier> fields, UniqueNormaliser normaliser) {

    /** Copies the list. */
    public UniqueComponent {
        fields = List.copyOf(fields);
    }

    /**
     * A column compared exactly.
     *
     * @param column its name, which is the property's too
     * @return the component
     */
    public static UniqueComponent column(String column) {
        return new UniqueComponent(column, CqlIdentifier.fromInternal(column), List.of(), UniqueNormaliser.EXACT);
    }

    /**
     * The same component with another idea of what is equal.
     *
     * @param other the normaliser
     * @return the component
     */
    public UniqueComponent normalised(UniqueNormaliser other) {
        return new UniqueComponent(property, column, fields, other);
    }
}
