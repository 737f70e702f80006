package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.retry.RetryException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** What a client hears, the same with Spring MVC and with WebFlux. */
@ExtendWith(OutputCaptureExtension.class)
class ProblemAdviceTests {

    private static final String SECRET = "ann@secret.example";

    private static final Map<String, RuntimeException> FAILURES = Map.ofEntries(
            Map.entry("duplicate", duplicate()),
            Map.entry("pending", new ClaimPendingException("p-mail", Duration.ofMillis(9_500))),
            Map.entry("unavailable", new ClaimsUnavailableException("insert of " + SECRET, null)),
            Map.entry("held", new LeaseNotAcquiredException("mail:" + SECRET, Duration.ZERO, "host-7")),
            Map.entry("undecided", new LeaseUnavailableException("mail:" + SECRET, "no answer", null)),
            Map.entry("open", new WriteCircuitOpenException("People.save")),
            Map.entry("unclaimable", unclaimable()),
            Map.entry("clock", new ClockOffsetException("People.save", "node 3 is ahead")),
            Map.entry("unknown", new UnknownOutcomeException("save of " + SECRET, null)),
            Map.entry("partly", new PartlyDoneException("save of " + SECRET, null, 1, 1)),
            Map.entry("superseded", new SupersededException("save of " + SECRET)),
            Map.entry("wrapped", new CompletionException(duplicate())),
            Map.entry("undeclared", new UndeclaredThrowableException(new ExecutionException(duplicate()))),
            Map.entry("propagated", Exceptions.propagate(new RetryException("given up", duplicate()))),
            Map.entry("exhausted", Exceptions.retryExhausted("Retries exhausted: 3/3", duplicate())),
            Map.entry("own", new ResponseStatusException(HttpStatus.GONE, "said by the application", duplicate())));

    private static RuntimeException failure(String name) {
        return Objects.requireNonNull(FAILURES.get(name));
    }

    /** Half of a surrogate pair. */
    private static UnclaimableValueException unclaimable() {
        UniqueConstraint constraint = UniqueConstraint.on("p-mail", "email");
        return catchThrowableOfType(
                UnclaimableValueException.class, () -> constraint.value(List.of(SECRET + '\ud800')));
    }

    private static DuplicateValueException duplicate() {
        return new DuplicateValueException(
                List.of(
                        new Violation("p-mail", List.of("email"), List.of(SECRET)),
                        new Violation("p-name", List.of("shop", "name"), List.of(SECRET))),
                true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"duplicate", "wrapped", "undeclared", "propagated", "exhausted"})
    void saysWhichPropertiesAreTaken(String failure) {
        onBoth(client -> assertThat(get(client, "/fail/" + failure, HttpStatus.CONFLICT, null))
                .contains("\"status\":409", "\"reason\":\"duplicate-value\"", "\"outcome\":\"not-done\"")
                .contains("\"properties\":[\"email\",\"shop\",\"name\"]")
                .contains("The value of email is taken. The value of shop, name is taken."));
    }

    @ParameterizedTest
    @CsvSource({
        "pending, value-pending, 1",
        "held, lease-held, 1",
        "unavailable, unavailable, 5",
        "undecided, unavailable, 5",
        "clock, unavailable, 5",
        "open, circuit-open, 5"
    })
    void saysWhenToComeAgain(String failure, String reason, String seconds) {
        onBoth(client -> assertThat(unavailable(client, failure, seconds))
                .contains("\"reason\":\"%s\"".formatted(reason), "\"outcome\":\"not-done\""));
    }

    @Test
    void saysWhichPropertyNoOneCanHave() {
        onBoth(client -> assertThat(get(client, "/fail/unclaimable", HttpStatus.UNPROCESSABLE_CONTENT, null))
                .contains("\"reason\":\"unclaimable-value\"", "\"properties\":[\"email\"]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "partly", "superseded"})
    void saysHowAnUnknownOutcomeConverges(String failure) {
        onBoth(client -> assertThat(unavailable(client, failure, "5"))
                .contains("\"reason\":\"outcome-unknown\"", "\"outcome\":\"unknown\"")
                .contains("Send the same request again, with the same ids."));
    }

    @Test
    void logsWhatTheClusterDidAndNotWhatCallersDid(CapturedOutput output) {
        onBoth(client -> {
            unavailable(client, "open", "5");
            unavailable(client, "pending", "1");
        });
        assertThat(output)
                .contains("People.save was not sent: the circuit breaker is open")
                .doesNotContain("p-mail");
    }

    @Test
    void answersWhatFailsLater() {
        onBoth(client -> {
            get(client, "/later/duplicate", HttpStatus.CONFLICT, null);
            get(client, "/mono/unknown", HttpStatus.SERVICE_UNAVAILABLE, "5");
            get(client, "/entity/duplicate", HttpStatus.CONFLICT, null);
        });
    }

    @Test
    void leavesAnExceptionOfTheApplicationAlone() {
        onBoth(client -> client.get().uri("/fail/own").exchange().expectStatus().isEqualTo(HttpStatus.GONE));
    }

    @Test
    void letsTheApplicationsOwnAdviceGoFirst() {
        onBoth(
                client -> client.get()
                        .uri("/fail/duplicate")
                        .exchange()
                        .expectStatus()
                        .isEqualTo(HttpStatus.NOT_ACCEPTABLE),
                OwnAdvice.class);
    }

    /** A browser gets the application's error page. */
    @Test
    void leavesPagesToTheErrorPage() {
        servlet()
                .run(context -> assertThatThrownBy(
                                () -> client(context).get().uri("/page").exchange())
                        .hasRootCauseInstanceOf(DuplicateValueException.class));
        reactive()
                .run(context -> client(context)
                        .get()
                        .uri("/page")
                        .exchange()
                        .expectStatus()
                        .isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR));
    }

    private static String unavailable(WebTestClient client, String failure, String retryAfter) {
        return get(client, "/fail/" + failure, HttpStatus.SERVICE_UNAVAILABLE, retryAfter);
    }

    /** Nothing that is answered may show the value. */
    private static String get(WebTestClient client, String path, HttpStatus status, @Nullable String retryAfter) {
        var response = client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody(String.class)
                .returnResult();
        assertThat(response.getResponseHeaders().getFirst("Retry-After")).isEqualTo(retryAfter);
        String body = String.valueOf(response.getResponseBody());
        assertThat(body).doesNotContain(SECRET, "secret", "host-7", "p-mail");
        return body;
    }

    private static void onBoth(Consumer<WebTestClient> test, Class<?>... beans) {
        servlet().withUserConfiguration(beans).run(context -> test.accept(client(context)));
        reactive().withUserConfiguration(beans).run(context -> test.accept(client(context)));
    }

    private static WebApplicationContextRunner servlet() {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurewriteWebAutoConfiguration.class))
                .withUserConfiguration(Mvc.class, Api.class, Pages.class);
    }

    private static ReactiveWebApplicationContextRunner reactive() {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurewriteWebAutoConfiguration.class))
                .withUserConfiguration(Flux.class, Api.class, Pages.class);
    }

    private static WebTestClient client(ApplicationContext context) {
        return context instanceof WebApplicationContext servlet
                ? MockMvcWebTestClient.bindToApplicationContext(servlet).build()
                : WebTestClient.bindToApplicationContext(context).build();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Flux {}

    @RestController
    static class Api {

        @GetMapping("/fail/{failure}")
        String fail(@PathVariable("failure") String failure) {
            throw failure(failure);
        }

        @GetMapping("/later/{failure}")
        CompletableFuture<String> later(@PathVariable("failure") String failure) {
            return CompletableFuture.supplyAsync(() -> fail(failure));
        }

        @GetMapping("/mono/{failure}")
        Mono<String> mono(@PathVariable("failure") String failure) {
            return Mono.error(failure(failure));
        }
    }

    @Controller
    static class Pages {

        @GetMapping("/page")
        String page() {
            throw duplicate();
        }

        @GetMapping("/entity/{failure}")
        Mono<ResponseEntity<String>> entity(@PathVariable("failure") String failure) {
            return Mono.error(failure(failure));
        }
    }

    /** Without an order, as most are. */
    @ControllerAdvice
    static class OwnAdvice {

        @ExceptionHandler
        ResponseEntity<String> taken(DuplicateValueException duplicate) {
            return ResponseEntity.status(HttpStatus.NOT_ACCEPTABLE).body("said by the application");
        }
    }
}
