package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

@Isolated // what Reactor drops is the process' own
class ReactiveLeasesTests {

    private final CompletableFuture<Optional<Lease>> answer = new CompletableFuture<>();
    private final LeaseLocks locks = (LeaseLocks) Proxy.newProxyInstance(
            LeaseLocks.class.getClassLoader(),
            new Class<?>[] {LeaseLocks.class},
            (proxy, method, arguments) -> answer.minimalCompletionStage());

    @AfterEach
    void dropAsBefore() {
        Hooks.resetOnErrorDropped();
    }

    /** The stage of a caller throws if it is cancelled, which Reactor would log as an error. */
    @Test
    void aSubscriberCancelsWithoutAnError() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);

        new ReactiveLeases(locks)
                .mono(LeaseRequest.of("name"), Duration.ofSeconds(1), lease -> Mono.just("done"))
                .subscribe()
                .dispose();

        assertThat(dropped).isEmpty();
        assertThat(answer).isNotDone();
    }
}
