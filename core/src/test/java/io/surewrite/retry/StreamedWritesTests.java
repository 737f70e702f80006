package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Streams of writes, without a cluster. */
class StreamedWritesTests {

    private static final Duration WAIT = Duration.ofSeconds(30);

    private final ScopedRetryTemplate template = TestRetry.template(4, new WriteTimestamps(Clock.systemUTC()));
    private final ReactiveWriteRetry retry = template.reactive();

    @Test
    void saysHowMuchWasWrittenBeforeAClockWasFoundWrong() {
        ClockOffsetException wrong = new ClockOffsetException("write", "a clock is wrong");
        assertThatExceptionOfType(PartlyDoneException.class)
                .isThrownBy(() -> failingAtTheSecond(wrong).blockLast(WAIT))
                .withCause(wrong)
                .satisfies(failure ->
                        assertThat(List.of(failure.done(), failure.undecided())).containsExactly(1, 0));
        assertThatExceptionOfType(ClockOffsetException.class)
                .as("nothing was written")
                .isThrownBy(() -> retry.each("write", Flux.just(1), element -> Mono.error(wrong))
                        .blockLast(WAIT));
    }

    /** Only the first of them is subscribed to by the thread of the call. */
    @Test
    void givesTheTimestampOfABlockingCallToAllElements() {
        Flux<Integer> elements = Flux.range(0, 3);
        List<Flux<Long>> streams = List.of(
                retry.eachInOrder("write", elements, element -> timestamp()),
                retry.each("write", elements.publishOn(Schedulers.boundedElastic()), element -> timestamp()));
        for (Flux<Long> stream : streams) {
            template.execute(
                    "around",
                    () -> assertThat(stream.collectList().block(WAIT))
                            .hasSize(3)
                            .containsOnly(
                                    Objects.requireNonNull(WriteScope.current()).timestamp()));
        }
    }

    private static Mono<Long> timestamp() {
        return Mono.deferContextual(context -> Mono.just(Objects.requireNonNull(ReactiveWriteScope.current(context))
                        .timestamp()))
                .publishOn(Schedulers.boundedElastic());
    }

    private Flux<Integer> failingAtTheSecond(RuntimeException failure) {
        return retry.eachInOrder(
                "write", Flux.just(1, 2), element -> element == 1 ? Mono.just(element) : Mono.error(failure));
    }
}
