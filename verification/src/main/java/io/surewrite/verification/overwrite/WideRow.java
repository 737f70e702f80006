package io.surewrite.verification.overwrite;

import java.lang.reflect.Constructor;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** The row of the seed: 40 columns, of which every write leaves 10 to 20 null. */
@Table("wide_row")
record WideRow(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) int p,
        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) int r,
        @Nullable Integer c00,
        @Nullable Integer c01,
        @Nullable Integer c02,
        @Nullable Integer c03,
        @Nullable Integer c04,
        @Nullable Integer c05,
        @Nullable Integer c06,
        @Nullable Integer c07,
        @Nullable Integer c08,
        @Nullable Integer c09,
        @Nullable Integer c10,
        @Nullable Integer c11,
        @Nullable Integer c12,
        @Nullable Integer c13,
        @Nullable Integer c14,
        @Nullable Integer c15,
        @Nullable Integer c16,
        @Nullable Integer c17,
        @Nullable Integer c18,
        @Nullable Integer c19,
        @Nullable Integer c20,
        @Nullable Integer c21,
        @Nullable Integer c22,
        @Nullable Integer c23,
        @Nullable Integer c24,
        @Nullable Integer c25,
        @Nullable Integer c26,
        @Nullable Integer c27,
        @Nullable Integer c28,
        @Nullable Integer c29,
        @Nullable Integer c30,
        @Nullable Integer c31,
        @Nullable Integer c32,
        @Nullable Integer c33,
        @Nullable Integer c34,
        @Nullable Integer c35,
        @Nullable Integer c36,
        @Nullable Integer c37,
        @Nullable Integer c38,
        @Nullable Integer c39) {

    static final int COLUMNS = 40;

    @SuppressWarnings("unchecked") // the only constructor
    private static final Constructor<WideRow> CANONICAL =
            (Constructor<WideRow>) WideRow.class.getDeclaredConstructors()[0];

    static String ddl() {
        StringBuilder ddl = new StringBuilder("CREATE TABLE wide_row (p int, r int, ");
        for (int i = 0; i < COLUMNS; i++) {
            ddl.append("c%02d int, ".formatted(i));
        }
        return ddl.append("PRIMARY KEY (p, r))").toString();
    }

    static WideRow random(int partition, int row, Random random) {
        @Nullable Object[] values = new Object[2 + COLUMNS];
        values[0] = partition;
        values[1] = row;
        for (int i = 2; i < values.length; i++) {
            values[i] = random.nextInt(1_000);
        }
        for (int nulls = 10 + random.nextInt(11); nulls > 0; ) {
            int column = 2 + random.nextInt(COLUMNS);
            if (values[column] != null) {
                values[column] = null;
                nulls--;
            }
        }
        try {
            return CANONICAL.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
