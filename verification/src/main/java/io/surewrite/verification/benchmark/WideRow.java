package io.surewrite.verification.benchmark;

import java.lang.reflect.Constructor;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A row of 40 columns, of which every write leaves half null: those of an even row others than those of an odd one. */
@Table("wide_row")
record WideRow(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) int p,
        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) int r,
        @Nullable String c00,
        @Nullable String c01,
        @Nullable String c02,
        @Nullable String c03,
        @Nullable String c04,
        @Nullable String c05,
        @Nullable String c06,
        @Nullable String c07,
        @Nullable String c08,
        @Nullable String c09,
        @Nullable String c10,
        @Nullable String c11,
        @Nullable String c12,
        @Nullable String c13,
        @Nullable String c14,
        @Nullable String c15,
        @Nullable String c16,
        @Nullable String c17,
        @Nullable String c18,
        @Nullable String c19,
        @Nullable String c20,
        @Nullable String c21,
        @Nullable String c22,
        @Nullable String c23,
        @Nullable String c24,
        @Nullable String c25,
        @Nullable String c26,
        @Nullable String c27,
        @Nullable String c28,
        @Nullable String c29,
        @Nullable String c30,
        @Nullable String c31,
        @Nullable String c32,
        @Nullable String c33,
        @Nullable String c34,
        @Nullable String c35,
        @Nullable String c36,
        @Nullable String c37,
        @Nullable String c38,
        @Nullable String c39) {

    @SuppressWarnings("unchecked") // the only constructor
    private static final Constructor<WideRow> CANONICAL =
            (Constructor<WideRow>) WideRow.class.getDeclaredConstructors()[0];

    static WideRow random(int partition, int row, Random random) {
        @Nullable Object[] values = new Object[CANONICAL.getParameterCount()];
        values[0] = partition;
        values[1] = row;
        for (int i = 2 + row % 2; i < values.length; i += 2) {
            values[i] = "word " + random.nextInt(100);
        }
        try {
            return CANONICAL.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
