package io.surewrite.alledeals.lab;

import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** What the plain side of a comparison writes, and the row that both sides correct. */
@Table("cass_lab_row")
record LabRow(
        @PrimaryKey String id,
        @Nullable String text,
        @Nullable Integer units) {

    static LabRow text(String id, String text) {
        return new LabRow(id, text, null);
    }

    static LabRow units(String id, int units) {
        return new LabRow(id, null, units);
    }
}
