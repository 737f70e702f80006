package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.test.ObservedMeters;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Calls of an application that are more than one statement, are cancelled, or take a stream, on a network that loses single
 * frames: whatever the caller gets is compared with the rows. What becomes of a row stands in its name.
 */
class CallsOfManyStatementsIntegrationTests extends CassandraTest {

    private static final String UNAVAILABLE = "unavailable";

    private static final AtomicInteger REFUSED = new AtomicInteger();

    private static FrameProxy network;
    private static ApplicationContext application;
    private static volatile boolean repaired;

    /** Before the test. */
    private final Map<Meter.Id, Long> counted = new HashMap<>();

    private final Guest ann = new Guest(UUID.randomUUID(), "Ann");
    private final Guest lost = new Guest(UUID.randomUUID(), UNAVAILABLE);

    private final Guests guests = application.getBean(Guests.class);
    private final ReactiveGuests reactive = application.getBean(ReactiveGuests.class);
    private final Hosts hosts = application.getBean(Hosts.class);

    @BeforeAll
    static void layTheNetwork(@TempDir Path directory) throws IOException {
        session.execute("CREATE TABLE guest (id uuid PRIMARY KEY, name text)");
        network = new FrameProxy(
                keyspace.server().contactPoint().getPort(),
                Duration.ZERO,
                CallsOfManyStatementsIntegrationTests::verdict);
        application = shared(
                List.of(
                        "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                        "spring.cassandra.request.timeout=20s",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory,
                        "surewrite.retry.attempts=3",
                        "surewrite.retry.initial-backoff=1ms"),
                Application.class,
                ObservedMeters.class);
    }

    @AfterAll
    static void takeItAway() throws IOException {
        network.close();
    }

    private static Verdict verdict(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        Fate fate = Fate.DELIVERED;
        if (!repaired && text.contains(UNAVAILABLE)) {
            fate = Fate.UNAVAILABLE;
            REFUSED.incrementAndGet();
        }
        return new Verdict(fate, new CompletableFuture<>());
    }

    @BeforeEach
    void forget() {
        repaired = false;
        REFUSED.set(0);
        for (Meter meter : application.getBean(SimpleMeterRegistry.class).getMeters()) {
            if (meter instanceof Timer timer) {
                counted.put(timer.getId(), timer.count());
            }
        }
    }

    // ---- several statements ----

    @Test
    void aCallThatIsPartlyDoneSaysSo() {
        assertPartlyDone(() -> guests.saveAll(List.of(ann, lost)));
        assertThat(count("unknown", "Guests.saveAll")).isEqualTo(1);
        assertThat(count("exhausted", "Guests.saveAll")).isZero();
        assertThat(name(ann)).isEqualTo("Ann");

        // Its parts are calls of their own, which join it.
        assertPartlyDone(() -> hosts.welcome(ann, lost));
        assertPartlyDone(() -> hosts.welcomeLater(ann, lost).join());
        assertPartlyDone(() -> hosts.welcomeReactively(ann, lost).block());
        assertThat(count("unknown", "Hosts.welcomeReactively")).isEqualTo(1);

        // Those that are sent at the same time may be cancelled.
        assertThat(catchThrowable(() -> reactive.saveAll(List.of(ann, lost)).blockLast()))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(count("unknown", "ReactiveGuests.saveAll")).isEqualTo(1);

        // What was partly done is completed by the same call.
        repaired = true;
        guests.saveAll(List.of(ann, lost));
        assertThat(name(lost)).isEqualTo(UNAVAILABLE);
    }

    // ---- cancelled calls ----

    @Test
    void nothingBeginsAfterACancelledFuture() {
        CompletableFuture<Guest> call = hosts.expect(lost);
        awaitRefused(1);
        assertThat(call.cancel(true)).isTrue();
        assertNothingElseBegins("Hosts.expect");

        // A timeout around the call says the same.
        assertThat(catchThrowable(() ->
                        hosts.expect(lost).orTimeout(200, TimeUnit.MILLISECONDS).join()))
                .hasCauseInstanceOf(TimeoutException.class);
        assertNothingElseBegins("Hosts.expect");
    }

    @Test
    void nothingBeginsAfterADisposedSubscription() {
        Disposable call = hosts.expectReactively(lost).subscribe();
        awaitRefused(1);
        call.dispose();
        assertNothingElseBegins("Hosts.expectReactively");
        assertThat(catchThrowable(() -> hosts.expectReactively(lost)
                        .timeout(Duration.ofMillis(200))
                        .block()))
                .hasCauseInstanceOf(TimeoutException.class);
        assertNothingElseBegins("Hosts.expectReactively");
    }

    @Test
    void nothingBeginsAfterAnInterrupt() throws Exception {
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread caller = new Thread(() -> outcome.complete(catchThrowable(() -> hosts.expectHere(lost))));
        caller.start();
        awaitRefused(1);
        caller.interrupt();
        assertThat(outcome.get(30, TimeUnit.SECONDS))
                .isNotInstanceOf(UnknownOutcomeException.class)
                .hasRootCauseInstanceOf(AllNodesFailedException.class);
        assertNothingElseBegins("Hosts.expectHere");
    }

    private static void awaitRefused(int times) {
        await().atMost(Duration.ofSeconds(30)).until(() -> REFUSED.get() >= times);
    }

    /** Such a call goes on every 20 ms at the latest. One attempt may have begun when the caller gave up. */
    private void assertNothingElseBegins(String operation) {
        int refused = REFUSED.get();
        new CompletableFuture<Void>()
                .completeOnTimeout(null, 300, TimeUnit.MILLISECONDS)
                .join();
        assertThat(REFUSED.get() - refused).as("attempts of " + operation).isLessThanOrEqualTo(1);
        assertThat(application.getBean(WriteBacklog.class).size().entries()).isZero();
        assertThat(count("kept", operation)).isZero();
    }

    // ---- streams ----

    /** Another's save comes between the subscription and the element: the element is newer. */
    @Test
    void anElementIsAsNewAsItsEmission() throws Exception {
        Sinks.Many<Guest> sink = Sinks.many().unicast().onBackpressureBuffer();
        Guest early = new Guest(UUID.randomUUID(), "early");
        CompletableFuture<List<Guest>> call =
                reactive.saveAll(sink.asFlux()).collectList().toFuture();
        sink.tryEmitNext(early).orThrow();
        await().atMost(Duration.ofSeconds(30)).until(() -> name(early) != null);

        guests.save(new Guest(ann.id(), "by another"));
        sink.tryEmitNext(ann).orThrow();
        guests.save(new Guest(early.id(), "by another"));
        sink.tryEmitComplete().orThrow();
        assertThat(call.get(30, TimeUnit.SECONDS)).containsExactlyInAnyOrder(early, ann);
        assertThat(name(ann)).as("decided after the other").isEqualTo("Ann");
        assertThat(name(early)).as("decided before the other").isEqualTo("by another");

        Mono<UUID> late = Mono.fromCallable(() -> {
            guests.save(ann);
            return ann.id();
        });
        reactive.deleteById(late).block();
        assertThat(name(ann)).as("deleted by an id that came after the save").isNull();
    }

    @Test
    void aStreamThatFailsSaysHowMuchOfItIsInEffect() {
        Sinks.Many<Guest> sink = Sinks.many().unicast().onBackpressureBuffer();
        sink.tryEmitNext(ann).orThrow();
        Flux<Guest> saved = reactive.saveAll(sink.asFlux())
                .doOnNext(answer -> sink.tryEmitNext(lost).orThrow());
        assertThat(catchThrowable(() -> saved.blockLast(Duration.ofSeconds(30))))
                .isInstanceOf(PartlyDoneException.class)
                .hasMessageContaining("after 1 had been written")
                .hasRootCauseInstanceOf(AllNodesFailedException.class);
        assertThat(catchThrowable(() -> reactive.saveAll(Flux.just(lost)).blockLast()))
                .isNotInstanceOf(UnknownOutcomeException.class)
                .hasRootCauseInstanceOf(AllNodesFailedException.class);
        assertThat(catchThrowable(() -> reactive.saveAll(Flux.<Guest>error(new IllegalStateException("the caller's")))
                        .blockLast()))
                .hasMessage("the caller's");
    }

    @Test
    void aStreamIntoCodeOfTheUserIsRefused() {
        new ApplicationContextRunner()
                .withUserConfiguration(IdempotentBeanTests.Retry.class)
                .withBean(Importer.class)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .hasMessageContaining("Importer.take")
                        .hasMessageContaining("it takes a Flux, whose elements may come long after the call began"));
    }

    private static void assertPartlyDone(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        PartlyDoneException partly = Stream.of(failure, failure.getCause())
                .filter(PartlyDoneException.class::isInstance)
                .map(PartlyDoneException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("not told that it is partly done", failure));
        assertThat(partly).hasRootCauseInstanceOf(AllNodesFailedException.class);
        assertThat(partly.done()).isEqualTo(1);
        assertThat(partly.undecided()).isZero();
    }

    private long count(String outcome, String operation) {
        Timer timer = application
                .getBean(SimpleMeterRegistry.class)
                .find("surewrite.write")
                .tags("operation", operation, "outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count() - counted.getOrDefault(timer.getId(), 0L);
    }

    private static String name(Guest guest) {
        Row row = session.execute("SELECT name FROM guest WHERE id = ?", guest.id())
                .one();
        return row == null ? null : row.getString(0);
    }

    @Table("guest")
    record Guest(@Id UUID id, String name) {}

    @Idempotent
    interface Guests extends CassandraRepository<Guest, UUID> {}

    @Idempotent
    interface ReactiveGuests extends ReactiveCassandraRepository<Guest, UUID> {}

    @Idempotent(
            attempts = 10_000,
            deadline = "1m",
            initialBackoff = "20ms",
            maxBackoff = "20ms",
            whenExhausted = WhenExhausted.BACKLOG)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Patient {}

    static class Hosts {

        private final Guests guests;
        private final CassandraTemplate template;
        private final AsyncCassandraTemplate async;
        private final ReactiveCassandraTemplate reactive;

        Hosts(
                Guests guests,
                CassandraTemplate template,
                AsyncCassandraTemplate async,
                ReactiveCassandraTemplate reactive) {
            this.guests = guests;
            this.template = template;
            this.async = async;
            this.reactive = reactive;
        }

        @Idempotent
        public void welcome(Guest first, Guest second) {
            guests.save(first);
            guests.save(second);
        }

        @Idempotent
        public CompletableFuture<Void> welcomeLater(Guest first, Guest second) {
            return CompletableFuture.allOf(async.insert(first), async.insert(second));
        }

        @Idempotent
        public Mono<Void> welcomeReactively(Guest first, Guest second) {
            return reactive.insert(first).then(reactive.insert(second)).then();
        }

        @Patient
        public CompletableFuture<Guest> expect(Guest guest) {
            return async.insert(guest);
        }

        @Patient
        public Mono<Guest> expectReactively(Guest guest) {
            return reactive.insert(guest);
        }

        @Patient
        public void expectHere(Guest guest) {
            template.insert(guest);
        }
    }

    @OwnRepositories
    @Import(Hosts.class)
    static class Application {

        @Bean
        AsyncCassandraTemplate async(SessionFactory sessions, CassandraConverter converter) {
            return new AsyncCassandraTemplate(sessions, converter);
        }
    }

    static class Importer {

        @Idempotent
        public Mono<Void> take(Flux<Guest> guests) {
            return guests.then();
        }
    }
}
