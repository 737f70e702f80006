package io.surewrite.verification.benchmark;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** The row of the seed: 40 columns (flags, small numbers, words), of which every write leaves some null. */
@Table("wide_row")
record WideRow(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) int p,
        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) int r,
        @Nullable Boolean c00,
        @Nullable Boolean c01,
        @Nullable Boolean c02,
        @Nullable Boolean c03,
        @Nullable Boolean c04,
        @Nullable Boolean c05,
        @Nullable Boolean c06,
        @Nullable Boolean c07,
        @Nullable Boolean c08,
        @Nullable Boolean c09,
        @Nullable Short c10,
        @Nullable Short c11,
        @Nullable Short c12,
        @Nullable Short c13,
        @Nullable Short c14,
        @Nullable Short c15,
        @Nullable Short c16,
        @Nullable Short c17,
        @Nullable Short c18,
        @Nullable Short c19,
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

    static final int COLUMNS = 40;
    private static final int KINDS = 5;
    private static final List<String> WORDS = List.of("red", "blue", "green", "small", "large", "new", "used", "none");

    @SuppressWarnings("unchecked") // the only constructor
    private static final Constructor<WideRow> CANONICAL =
            (Constructor<WideRow>) WideRow.class.getDeclaredConstructors()[0];

    /** A row of one of {@link #KINDS} kinds, each of which leaves columns of its own null, as records of one table do. */
    static WideRow random(int partition, int row, int nulls, Random random) {
        RecordComponent[] columns = WideRow.class.getRecordComponents();
        @Nullable Object[] values = new Object[columns.length];
        values[0] = partition;
        values[1] = row;
        for (int i = 2; i < values.length; i++) {
            values[i] = value(columns[i].getType(), random);
        }
        nullColumns(row % KINDS, nulls).forEach(column -> values[2 + column] = null);
        try {
            return CANONICAL.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Integer> nullColumns(int kind, int nulls) {
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, COLUMNS).boxed().toList());
        Collections.shuffle(columns, new Random(kind));
        return columns.subList(0, nulls);
    }

    private static Object value(Class<?> type, Random random) {
        if (type == Boolean.class) {
            return random.nextBoolean();
        }
        if (type == Short.class) {
            return (short) random.nextInt(100);
        }
        return type == Integer.class ? (Object) random.nextInt(10_000) : WORDS.get(random.nextInt(WORDS.size()));
    }
}
