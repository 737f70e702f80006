package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.write.WriteScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** Two overwrites with one timestamp are settled by Cassandra cell by cell. */
class TimestampTieIntegrationTests extends CassandraTest {

    private static final OverwriteOptions DETECTING = OverwriteOptions.none().detectingTies();

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final UUID id = UUID.randomUUID();

    @Table("flag")
    record Flag(@PrimaryKey UUID id, String left, String right, String only) {

        boolean isWhole() {
            return left.equals(right) && (only == null || only.equals(left));
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE flag (id uuid PRIMARY KEY, left text, right text, only text)");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @Test
    void tellsTheClientThatFinishesLast() {
        inOneMicrosecond(new Flag(id, "a", "z", "first"), DETECTING);

        assertThatExceptionOfType(TimestampTieException.class)
                .isThrownBy(() -> inOneMicrosecond(new Flag(id, "z", "a", null), DETECTING))
                .withMessageContaining("won in only, right");
    }

    @Test
    void isSilentAboutRetriesAndNewerWrites() {
        Flag flag = new Flag(id, "a", "z", null);
        inOneMicrosecond(flag, DETECTING);

        assertThatCode(() -> inOneMicrosecond(flag, DETECTING)).doesNotThrowAnyException();
        overwrites.overwrite(
                new Flag(id, "newer", "newer", null), OverwriteOptions.none().detectingTies());
        assertThatCode(() -> inOneMicrosecond(flag, DETECTING)).doesNotThrowAnyException();
    }

    @Test
    void cannotHappenBetweenTheThreadsOfOneSession() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String mine = "writer-" + i;
            boolean full = i % 2 == 0;
            writers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 100; n++) {
                    overwrites.overwrite(new Flag(id, mine + n, mine + n, full ? mine + n : null));
                }
            }));
        }
        Set<Flag> seen = new HashSet<>();
        while (!CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new))
                .isDone()) {
            Flag flag = read();
            if (flag != null) {
                assertThat(flag.isWhole()).as("%s", flag).isTrue();
                seen.add(flag);
            }
        }
        writers.forEach(CompletableFuture::join);
        assertThat(read().isWhole()).isTrue();
        assertThat(seen).isNotEmpty();
    }

    private static void inOneMicrosecond(Object row, OverwriteOptions options) {
        WriteScope.at(1_000_000).call(() -> overwrites.overwrite(row, options));
    }

    private Flag read() {
        return fixture.template().selectOneById(id, Flag.class);
    }
}
