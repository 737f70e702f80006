package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryCodecTests {

    private static final BacklogEntry ENTRY = new BacklogEntry(
            "People.save",
            BacklogEntry.Kind.LOGGED,
            "shop",
            "LOCAL_QUORUM",
            1_700_000_000_000_001L,
            Instant.ofEpochMilli(1_700_000_123_456L),
            List.of(
                    new KeptStatement(
                            "INSERT INTO \u00e4 (k, v) VALUES (?, ?) USING TTL ?",
                            List.of(new KeptStatement.Table(
                                    CqlIdentifier.fromInternal("Shop"), CqlIdentifier.fromInternal("\u00e4"))),
                            List.of(
                                    new KeptValue(null, true, new byte[] {1, 2}),
                                    new KeptValue(null, true, null),
                                    new KeptValue(null, false, null),
                                    new KeptValue("name", true, new byte[0])),
                            2,
                            Instant.ofEpochMilli(1_700_000_000_500L)),
                    new KeptStatement("DELETE FROM t WHERE k = 1", List.of(), List.of(), -1, null)));

    @Test
    void readsWhatItWrote() {
        assertThat(EntryCodec.decode(EntryCodec.encode(ENTRY)))
                .usingRecursiveComparison()
                .isEqualTo(ENTRY);
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] whole = EntryCodec.encode(ENTRY);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(BacklogException.class)
                    .as("after %d bytes", length)
                    .isThrownBy(() -> EntryCodec.decode(cut));
        }
    }

    @Test
    void refusesTheFormatOfAnotherVersion() {
        byte[] newer = EntryCodec.encode(ENTRY);
        newer[0] = 2;
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> EntryCodec.decode(newer))
                .withMessageContainingAll("format 2", "reads 1");
    }
}
