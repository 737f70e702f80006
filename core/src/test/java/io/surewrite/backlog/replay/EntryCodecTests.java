package io.surewrite.backlog.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.backlog.BacklogException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryCodecTests {

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
                                    CqlIdentifier.fromInternal("Shop"), CqlIdentifier.fromInternal("\u00e4"))),
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
        newer[0] = 3;
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> EntryCodec.decode(newer))
                .withMessageContainingAll("format 3", "reads 2");
    }

    /** Its entries name no session: there was one only. */
    @Test
    void readsWhatTheFirstVersionWrote() {
        byte[] entry = EntryCodec.encode(ENTRY);
        int named = 1 + Integer.BYTES + "archive".length() + Integer.BYTES + "Test Cluster".length();
        byte[] first = new byte[entry.length - named + 1];
        first[0] = 1;
        System.arraycopy(entry, named, first, 1, entry.length - named);
        BacklogEntry read = EntryCodec.decode(first);
        assertThat(read.session()).isEmpty();
        assertThat(read.cluster()).isEmpty();
        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("session", "cluster")
                .isEqualTo(ENTRY);
        assertThat(EntryCodec.session(first)).isEmpty();
        assertThat(EntryCodec.session(entry)).isEqualTo("archive");
        assertThat(EntryCodec.session(new byte[] {2, 0, 0})).as("damaged").isEmpty();
    }
}
