package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of statements, encoded as the driver would encode them. */
final class StatementValues {

    private final CqlSession session;

    StatementValues(CqlSession session) {
        this.session = session;
    }

    /**
     * The text of a statement.
     *
     * @throws IllegalArgumentException if it is of a kind that has none
     */
    static String cql(Statement<?> statement) {
        if (statement instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        if (statement instanceof SimpleStatement simple) {
            return simple.getQuery();
        }
        throw new IllegalArgumentException("Not a simple or bound statement: " + statement.getClass());
    }

    List<KeptValue> of(Statement<?> statement) {
        List<KeptValue> values = new ArrayList<>();
        if (statement instanceof BoundStatement bound) {
            for (int i = 0; i < bound.size(); i++) {
                boolean isSet = bound.isSet(i);
                values.add(new KeptValue(null, isSet, isSet ? bytes(bound.getBytesUnsafe(i)) : null));
            }
        } else if (statement instanceof SimpleStatement simple) {
            simple.getPositionalValues().forEach(value -> values.add(new KeptValue(null, true, encode(value))));
            simple.getNamedValues()
                    .forEach((name, value) -> values.add(new KeptValue(name.asInternal(), true, encode(value))));
        }
        return values;
    }

    private byte @Nullable [] encode(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        TypeCodec<Object> codec = session.getContext().getCodecRegistry().codecFor(value);
        return bytes(codec.encode(value, session.getContext().getProtocolVersion()));
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
