package io.surewrite.backlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.write.UnknownOutcomeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Whatever fails around a transaction: who asked hears what became of it, and so does who asks later. */
class GroupCommitTests {

    @TempDir
    private Path directory;

    private final TestDisk disk = TestDisk.ready();
    private SqliteBacklogStore store;

    @BeforeEach
    void keepOne() throws Exception {
        store = disk.store(directory);
        answer(put("before"));
    }

    @AfterEach
    void close() {
        disk.fault = (command, real) -> real.run();
        store.close();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new SQLiteException("the disk does not answer", SQLiteErrorCode.SQLITE_IOERR),
                new IllegalStateException("a fault of the driver"),
                new OutOfMemoryError("on purpose"));
    }

    /** Whether it took effect is not asked of a disk that has failed. */
    @ParameterizedTest
    @MethodSource("failures")
    void whatFailedWhileItWasCommittedIsUnknown(Throwable failure) throws Exception {
        for (boolean after : List.of(true, false)) {
            failOnce("COMMIT", failure, after);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> answer(put("one")))
                    .withCauseExactlyInstanceOf(UnknownOutcomeException.class)
                    .withMessageContaining(String.valueOf(failure.getMessage()));
            List<String> there = after ? List.of("before", "one") : List.of("before");
            assertThat(bodies()).isEqualTo(there);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> answer(put("two")))
                    .withMessageContaining("until a restart");
            store.close();
            store = disk.store(directory);
            assertThat(bodies()).isEqualTo(there);
            answer(store.remove(List.of(2L)));
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatCannotBeSeenIsUnknownAndNothingMoreIsKept(Throwable failure) throws Exception {
        disk.fault = (command, real) -> {
            if (List.of("COMMIT", "ROLLBACK").contains(command)) {
                throw failure;
            }
            return real.run();
        };
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer(put("one")))
                .withCauseExactlyInstanceOf(UnknownOutcomeException.class);
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> answer(put("two")));
        assertThat(store.failure()).isNotNull();
        disk.fault = (command, real) -> real.run();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> answer(store.next(0, 10)));
        assertThat(bodies()).as("what waits can be replayed").containsExactly("before");
    }

    /** The transaction is there, and what there is then cannot be read. */
    @ParameterizedTest
    @MethodSource("failures")
    void whoAsksAfterAFailureBetweenTransactionsHearsOfIt(Throwable failure) throws Exception {
        failOnce(StoredEntry.SELECT + "id >= ? AND reason IS NULL ORDER BY id LIMIT 1", failure, false);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer(store.remove(List.of(1L))))
                .withCauseExactlyInstanceOf(UnknownOutcomeException.class);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer(put("next")))
                .withMessageContaining("until a restart");
        assertThat(bodies()).isEmpty();
    }

    /** As a listener might, or what an application does with the future of a write. */
    @Test
    void whoWaitsOnTheThreadThatIsToAnswerHearsThatItCannot() throws Exception {
        disk.commits.drainPermits();
        CompletableFuture<Long> waited = put("one").thenApply(id -> put("two").join());
        disk.commits.release(1_000);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer(waited))
                .withCauseExactlyInstanceOf(UnknownOutcomeException.class)
                .withMessageContaining("ask on another thread");
        disk.commits.drainPermits();
        CompletableFuture<Void> closed = put("three").thenRun(store::close);
        disk.commits.release(1_000);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer(closed))
                .withCauseExactlyInstanceOf(IllegalStateException.class);
        assertThat(store.failure()).isNull();
        answer(put("later"));
        List<String> all = List.of("before", "one", "two", "three", "later");
        assertThat(bodies()).isEqualTo(all);
        store.close();
        store = disk.store(directory);
        assertThat(bodies()).isEqualTo(all);
    }

    private void failOnce(String failing, Throwable failure, boolean after) {
        disk.fault = (command, real) -> {
            if (!command.equals(failing)) {
                return real.run();
            }
            disk.fault = (later, usual) -> usual.run();
            if (after) {
                real.run();
            }
            throw failure;
        };
    }

    private CompletableFuture<Long> put(String body) {
        return store.put(Instant.EPOCH, body.getBytes(UTF_8));
    }

    private List<String> bodies() throws Exception {
        return answer(store.next(0, Integer.MAX_VALUE)).stream()
                .map(StoredEntry::body)
                .map(body -> new String(body, UTF_8))
                .toList();
    }

    /** Fails if none answers. */
    private static <T> T answer(CompletableFuture<T> asked) throws Exception {
        return asked.get(20, TimeUnit.SECONDS);
    }
}
