package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.unique.TableScan.Slice;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TableScanTests {

    private static TableScan scan(int inFlight, int rowsPerSecond, int pageSize, int slices) {
        return new TableScan(
                mock(CqlSession.class),
                new ScriptedGuard().guard.parts(),
                "scan",
                new UniqueScanSettings(inFlight, rowsPerSecond, pageSize, slices));
    }

    @Test
    void beginsNoMoreThanThereIsRoomFor() throws Exception {
        TableScan steps = scan(2, 0, 1, 2);
        List<CompletableFuture<Void>> begun = new ArrayList<>();
        AtomicInteger count = new AtomicInteger();
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 3; i++) {
                steps.begin(() -> {
                    CompletableFuture<Void> step = new CompletableFuture<>();
                    begun.add(step);
                    count.incrementAndGet();
                    return step;
                });
            }
        });
        thread.start();
        thread.join(100);
        assertThat(thread.isAlive()).isTrue();
        assertThat(count).hasValue(2);
        begun.get(0).complete(null);
        thread.join();
        assertThat(count).hasValue(3);
    }

    @Test
    void reportsTheFirstFailureAndBeginsNothingAfterIt() {
        TableScan steps = scan(32, 0, 500, 1024);
        steps.begin(() -> CompletableFuture.failedFuture(new IllegalStateException("first")));
        assertThatThrownBy(steps::await).hasMessage("first");
        assertThatThrownBy(() -> steps.begin(() -> {
                    throw new AssertionError("begun");
                }))
                .hasMessage("first");
    }

    @Test
    void keepsThePace() {
        TableScan steps = scan(8, 100, 1, 2);
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            steps.begin(() -> CompletableFuture.completedFuture(null));
        }
        steps.await();
        assertThat(System.nanoTime() - start).isGreaterThan(190_000_000);
    }

    @Test
    void endsWhenItsThreadIsInterrupted() {
        TableScan steps = scan(1, 0, 1, 2);
        steps.begin(() -> CompletableFuture.completedFuture(null));
        Thread.currentThread().interrupt();
        assertThatThrownBy(steps::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can be called again");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void coverTheWholeRingWithoutGaps() {
        List<Slice> all = TableScan.slicesBehind(Long.MIN_VALUE, 1024);
        assertThat(all).hasSize(1024);
        assertThat(all.get(0).after()).isEqualTo(Long.MIN_VALUE);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).after()).isEqualTo(all.get(i - 1).upto());
            assertThat(all.get(i).upto()).isGreaterThan(all.get(i).after());
        }
        assertThat(all.get(1023).upto()).isEqualTo(Long.MAX_VALUE);
        // And go on behind a token.
        assertThat(TableScan.slicesBehind(all.get(99).upto(), 1024)).isEqualTo(all.subList(100, 1024));
        assertThat(TableScan.slicesBehind(5, 2)).containsExactly(new Slice(5, Long.MAX_VALUE));
        assertThat(TableScan.slicesBehind(-5, 2)).containsExactly(new Slice(-5, 0), new Slice(0, Long.MAX_VALUE));
        assertThat(TableScan.slicesBehind(Long.MAX_VALUE, 1024)).isEmpty();
    }
}
