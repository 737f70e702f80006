package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntryCodecTests {

    private static final EntryCodec CODEC = new EntryCodec(null);

    private static final BacklogEntry ENTRY = entry(DefaultBatchType.LOGGED);

    private static BacklogEntry entry(@Nullable DefaultBatchType batch) {
        return new BacklogEntry(
                "archive",
                "Test Cluster",
                "People.save",
                batch,
                "shop",
                "LOCAL_QUORUM",
                1_700_000_000_000_001L,
                Instant.ofEpochMilli(1_700_000_123_456L),
                List.of(
                        new BacklogEntry.Part(
                                "INSERT INTO \u00e4 (k, v) VALUES (?, ?) USING TTL ?",
                                List.of(new BacklogEntry.Table(
                                        CqlIdentifier.fromInternal("Shop"),
                                        CqlIdentifier.fromInternal("\u00e4"),
                                        new UUID(1, 2))),
                                List.of(
                                        new BacklogEntry.Value(true, new byte[] {1, 2}),
                                        new BacklogEntry.Value(true, null),
                                        new BacklogEntry.Value(false, null),
                                        new BacklogEntry.Value(true, new byte[0])),
                                2,
                                Instant.ofEpochMilli(1_700_000_000_500L)),
                        new BacklogEntry.Part("DELETE FROM t WHERE k = 1", List.of(), List.of(), -1, null)));
    }

    @Test
    void readsWhatItWrote() {
        for (BacklogEntry entry : List.of(ENTRY, entry(null))) {
            assertThat(CODEC.decode(CODEC.encode(entry)))
                    .usingRecursiveComparison()
                    .isEqualTo(entry);
        }
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] whole = CODEC.encode(ENTRY);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(BacklogException.class)
                    .as("after %d bytes", length)
                    .isThrownBy(() -> CODEC.decode(cut));
        }
    }

    @Test
    void refusesAnotherFormat() {
        byte[] other = CODEC.encode(ENTRY);
        other[0] = 1;
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> CODEC.decode(other))
                .withMessageContaining("has the format 1, and this version of Surewrite reads 3");
    }

    @Test
    void hidesStatementsAndGoesOnReadingThemWhenTheKeyChanges() {
        Keys keys = new Keys("old");
        EntryCodec codec = new EntryCodec(keys);
        byte[] old = codec.encode(ENTRY);
        assertThat(new String(old, StandardCharsets.ISO_8859_1))
                .contains("People.save", "old")
                .doesNotContain("DELETE FROM t", "INSERT");
        keys.current = "new";
        byte[] rotated = codec.encode(ENTRY);
        for (byte[] body : List.of(old, rotated, CODEC.encode(ENTRY))) {
            assertThat(codec.decode(body)).usingRecursiveComparison().isEqualTo(ENTRY);
        }
        keys.known.remove("old");
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> codec.decode(old))
                .withMessageContainingAll("key 'old'", "no such key", "replay it");
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> CODEC.decode(rotated))
                .withMessageContainingAll("key 'new'", "no bean of type BacklogCipher");
        keys.more = 1;
        assertThatExceptionOfType(BacklogException.class)
                .as("more than the statements")
                .isThrownBy(() -> codec.decode(rotated));
    }

    /** Hides by another byte for each key. */
    private static final class Keys implements BacklogCipher {

        private final Set<String> known = new HashSet<>(Set.of("old", "new"));
        private String current;
        private int more;

        private Keys(String current) {
            this.current = current;
        }

        @Override
        public String keyId() {
            return current;
        }

        @Override
        public byte[] encrypt(String keyId, byte[] plain) {
            byte[] hidden = plain.clone();
            for (int i = 0; i < hidden.length; i++) {
                hidden[i] ^= (byte) keyId.charAt(0);
            }
            return hidden;
        }

        @Override
        public byte[] decrypt(String keyId, byte[] encrypted) {
            if (!known.contains(keyId)) {
                throw new IllegalArgumentException("no such key");
            }
            return Arrays.copyOf(encrypt(keyId, encrypted), encrypted.length + more);
        }
    }
}
