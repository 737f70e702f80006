package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTextTests {

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void isThereAndBack(DataType type, ByteBuffer bytes, String text) {
        assertThat(KeyText.of(type, bytes)).isEqualTo(text);
        assertThat(KeyText.bytes(type, text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Zoë", "", "a:b"})
    void leavesTextsAsTheyAre(String text) {
        isThereAndBack(DataTypes.TEXT, bytes(text), text);
        isThereAndBack(DataTypes.ASCII, bytes(text), text);
    }

    @Test
    void writesIdsAsPeopleKnowThem() {
        UUID id = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
        ByteBuffer bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .flip();
        isThereAndBack(DataTypes.UUID, bytes, "0f8fad5b-d9cb-469f-a165-70867728950e");
        isThereAndBack(DataTypes.TIMEUUID, bytes, "0f8fad5b-d9cb-469f-a165-70867728950e");
    }

    @Test
    void writesEverythingElseInHexadecimal() {
        isThereAndBack(DataTypes.BIGINT, ByteBuffer.allocate(8).putLong(258).flip(), "0000000000000102");
        isThereAndBack(DataTypes.BLOB, ByteBuffer.wrap(new byte[] {-1, 16}), "ff10");
    }
}
