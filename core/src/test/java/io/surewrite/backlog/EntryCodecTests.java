package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class EntryCodecTests {

    private static final EntryCodec CODEC = new EntryCodec(null);

    private static final BacklogEntry ENTRY = new BacklogEntry(
            "archive",
            "Test Cluster",
            "People.save",
            BacklogEntry.Kind.LOGGED,
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
                                    new BacklogEntry.Value(null, true, new byte[] {1, 2}),
                                    new BacklogEntry.Value(null, true, null),
                                    new BacklogEntry.Value(null, false, null),
                                    new BacklogEntry.Value("name", true, new byte[0])),
                            2,
                            Instant.ofEpochMilli(1_700_000_000_500L)),
                    new BacklogEntry.Part("DELETE FROM t WHERE k = 1", List.of(), List.of(), -1, null)));

    @Test
    void readsWhatItWrote() {
        assertThat(CODEC.decode(CODEC.encode(ENTRY))).usingRecursiveComparison().isEqualTo(ENTRY);
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
    void findsTheSessionWithoutReadingTheRest() {
        assertThat(EntryCodec.session(CODEC.encode(ENTRY))).isEqualTo("archive");
        assertThat(EntryCodec.session(new byte[] {1, 0, 0})).as("damaged").isEmpty();
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
    }

    /** As the documentation shows it. */
    private static final class Keys implements BacklogCipher {

        private final Map<String, SecretKey> known = new HashMap<>();
        private final SecureRandom random = new SecureRandom();
        private String current;

        private Keys(String current) {
            this.current = current;
            known.put("old", new SecretKeySpec(random.generateSeed(32), "AES"));
            known.put("new", new SecretKeySpec(random.generateSeed(32), "AES"));
        }

        @Override
        public String keyId() {
            return current;
        }

        @Override
        public byte[] encrypt(String keyId, byte[] plain) {
            byte[] iv = new byte[12];
            random.nextBytes(iv);
            byte[] hidden = run(Cipher.ENCRYPT_MODE, keyId, iv, plain, 0);
            return ByteBuffer.allocate(12 + hidden.length).put(iv).put(hidden).array();
        }

        @Override
        public byte[] decrypt(String keyId, byte[] encrypted) {
            return run(Cipher.DECRYPT_MODE, keyId, Arrays.copyOf(encrypted, 12), encrypted, 12);
        }

        private byte[] run(int mode, String keyId, byte[] iv, byte[] in, int from) {
            SecretKey key = known.get(keyId);
            if (key == null) {
                throw new IllegalArgumentException("no such key");
            }
            try {
                Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
                cipher.init(mode, key, new GCMParameterSpec(128, iv));
                return cipher.doFinal(in, from, in.length - from);
            } catch (GeneralSecurityException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
