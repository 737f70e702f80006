package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the driver's codecs encode, taken apart. */
class ElementsTests {

    private static final TypeCodec<Set<String>> SET = TypeCodecs.setOf(TypeCodecs.TEXT);
    private static final TypeCodec<Map<String, Integer>> MAP = TypeCodecs.mapOf(TypeCodecs.TEXT, TypeCodecs.INT);

    @Test
    void keepsWhatHasOneTimeToLive() {
        ByteBuffer set = encoded(SET, Set.of("one", ""));
        assertThat(Elements.byTimeToLive(SET.getCqlType(), set, list(null, null)))
                .isEqualTo(Map.of(0, set));
        assertThat(Elements.byTimeToLive(SET.getCqlType(), set, list(7, 7))).isEqualTo(Map.of(7, set));
        assertThat(set.position()).isZero();
    }

    @Test
    void takesASetApart() {
        Set<String> ordered = new java.util.TreeSet<>(Set.of("a", "b", "c"));
        Map<Integer, ByteBuffer> parts =
                Elements.byTimeToLive(SET.getCqlType(), encoded(SET, ordered), list(9, null, 9));
        assertThat(parts).containsOnlyKeys(0, 9);
        assertThat(decoded(SET, parts.get(0))).containsExactly("b");
        assertThat(decoded(SET, parts.get(9))).containsExactly("a", "c");
    }

    @Test
    void takesAMapApart() {
        Map<String, Integer> ordered = new java.util.TreeMap<>(Map.of("a", 1, "b", 2));
        Map<Integer, ByteBuffer> parts = Elements.byTimeToLive(MAP.getCqlType(), encoded(MAP, ordered), list(null, 5));
        assertThat(decoded(MAP, parts.get(0))).isEqualTo(Map.of("a", 1));
        assertThat(decoded(MAP, parts.get(5))).isEqualTo(Map.of("b", 2));
    }

    /** Of four fields, this process knows two. */
    @Test
    void keepsFieldsThatItDoesNotKnow() {
        UserDefinedType known = type("a", "b");
        UserDefinedType whole = type("a", "b", "c", "d");
        TypeCodec<UdtValue> codec = TypeCodecs.udtOf(whole);
        ByteBuffer value = encoded(
                codec, whole.newValue().setString("a", "1").setString("c", "3").setString("d", "4"));
        Map<Integer, ByteBuffer> parts = Elements.byTimeToLive(known, value, list(null, null, 8, null));
        assertThat(parts).containsOnlyKeys(0, 8);
        assertThat(decoded(codec, parts.get(0)).getFormattedContents()).isEqualTo("{a:'1',b:NULL,c:NULL,d:'4'}");
        assertThat(decoded(codec, parts.get(8)).getFormattedContents()).isEqualTo("{a:NULL,b:NULL,c:'3',d:NULL}");
    }

    @Test
    void refusesTimesToLiveThatDoNotMatch() {
        assertThatThrownBy(() -> Elements.byTimeToLive(SET.getCqlType(), encoded(SET, Set.of("a")), list(1, 2)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static UserDefinedType type(String... fields) {
        UserDefinedTypeBuilder builder = new UserDefinedTypeBuilder("ks", "address");
        for (String field : fields) {
            builder.withField(CqlIdentifier.fromInternal(field), DataTypes.TEXT);
        }
        return builder.build();
    }

    private static ByteBuffer list(@Nullable Integer... seconds) {
        ByteBuffer list = ByteBuffer.allocate(Integer.BYTES * (1 + 2 * seconds.length));
        list.putInt(seconds.length);
        for (Integer each : seconds) {
            if (each == null) {
                list.putInt(-1);
            } else {
                list.putInt(Integer.BYTES).putInt(each);
            }
        }
        return list.flip();
    }

    private static <T> ByteBuffer encoded(TypeCodec<T> codec, T value) {
        return Objects.requireNonNull(codec.encode(value, ProtocolVersion.V5));
    }

    private static <T> T decoded(TypeCodec<T> codec, @Nullable ByteBuffer bytes) {
        return Objects.requireNonNull(codec.decode(Objects.requireNonNull(bytes).duplicate(), ProtocolVersion.V5));
    }
}
