package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.unique.CqlRows;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;

/** That it looks at what templates save is shown by {@link UniqueFindingIntegrationTests}. */
class SteadyValuesTests {

    private static final CqlIdentifier MAIL = CqlIdentifier.fromCql("mail");

    private final AtomicInteger conversions = new AtomicInteger();

    /** Two sessions may map one class by two converters. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void looksAtTheConversionsOfEverySession(boolean unsteadyFirst) {
        SteadyValues values = new SteadyValues();
        values.add(entities(!unsteadyFirst));
        values.add(entities(unsteadyFirst));

        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> values.onBeforeSave(
                        new Account("a@x"), CqlIdentifier.fromCql("account"), SimpleStatement.newInstance("INSERT")))
                .withMessageContaining("mail of Account is converted to another value each time");
    }

    @SuppressWarnings("unchecked")
    private SteadyValues.Entities entities(boolean steady) {
        CassandraConverter converter = mock();
        doAnswer(write -> ((Map<CqlIdentifier, Object>) write.getArgument(1))
                        .put(MAIL, steady ? 0 : conversions.incrementAndGet()))
                .when(converter)
                .write(any(), any(), any());
        RowTable table = mock();
        when(table.encoded(any(), any()))
                .thenAnswer(encoded -> ByteBuffer.allocate(4).putInt(0, encoded.<Integer>getArgument(1)));
        CqlRows rows = mock();
        when(rows.table()).thenReturn(table);
        when(rows.constrained()).thenReturn(Set.of(MAIL));
        return new SteadyValues.Entities(
                converter,
                new CassandraMappingContext().getRequiredPersistentEntity(Account.class),
                Set.of(MAIL),
                () -> rows,
                ConcurrentHashMap.newKeySet());
    }

    record Account(String mail) {}
}
