package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.unique.WholeTable.UniqueScanSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedStepsTests {

    @Test
    void beginsNoMoreThanThereIsRoomFor() throws Exception {
        BoundedSteps steps = new BoundedSteps(new UniqueScanSettings(2, 0, 1, 2));
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
        BoundedSteps steps = new BoundedSteps(new UniqueScanSettings(32, 0, 500, 1024));
        steps.begin(() -> CompletableFuture.failedFuture(new IllegalStateException("first")));
        assertThatThrownBy(steps::await).hasMessage("first");
        assertThatThrownBy(() -> steps.begin(() -> {
                    throw new AssertionError("begun");
                }))
                .hasMessage("first");
    }

    @Test
    void keepsThePace() {
        BoundedSteps steps = new BoundedSteps(new UniqueScanSettings(8, 100, 1, 2));
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            steps.begin(() -> CompletableFuture.completedFuture(null));
        }
        steps.await();
        assertThat(System.nanoTime() - start).isGreaterThan(190_000_000);
    }

    @Test
    void endsWhenItsThreadIsInterrupted() {
        BoundedSteps steps = new BoundedSteps(new UniqueScanSettings(1, 0, 1, 2));
        steps.begin(CompletableFuture::new);
        Thread.currentThread().interrupt();
        assertThatThrownBy(steps::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can be called again");
        assertThat(Thread.interrupted()).isTrue();
    }
}
