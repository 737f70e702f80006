package io.surewrite.alledeals.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.Assumptions;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.http.HttpStatus;

/** What the shop answers to a page of another site, and to requests that no page or program of good will makes. */
class HostileRequestsIntegrationTests extends ShopTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** A form with mistakes: read, and shown again. */
    private static final String FORM = "id=" + UUID.randomUUID();

    @LocalManagementPort
    private int management;

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Origin, https://attacker.example",
        "Origin, http://localhost:1",
        "Origin, 'null'"
    })
    void refusesAChangeThatAPageOfAnotherSiteAsksFor(String header, String value) throws Exception {
        for (String path : new String[] {"/lab/leases", "/lab/races", "/register", "/shopper"}) {
            HttpResponse<String> answer = send(post(path, "").header(header, value));
            assertThat(answer.statusCode()).as(path).isEqualTo(HttpStatus.FORBIDDEN.value());
        }
    }

    @Test
    void letsItsOwnPagesAndProgramsThrough() throws Exception {
        String here = url("");
        assertThat(send(post("/register", FORM).header("Sec-Fetch-Site", "same-origin"))
                        .statusCode())
                .isEqualTo(HttpStatus.UNPROCESSABLE_CONTENT.value());
        assertThat(send(post("/register", FORM).header("Origin", here)).statusCode())
                .isEqualTo(HttpStatus.UNPROCESSABLE_CONTENT.value());
        assertThat(send(post("/register", FORM)).statusCode()).isEqualTo(HttpStatus.UNPROCESSABLE_CONTENT.value());
    }

    @Test
    void letsAPageOfAnotherSiteLinkHere() throws Exception {
        assertThat(send(HttpRequest.newBuilder(URI.create(url("/"))).header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(HttpStatus.OK.value());
    }

    @Test
    void refusesAChangeUnderANameThatIsNotThisMachines() throws Exception {
        URI shop = URI.create(url("/register"));
        try (Socket socket = new Socket(shop.getHost(), shop.getPort())) {
            ask(
                    socket,
                    "POST /register HTTP/1.1",
                    "Host: attacker.example:" + shop.getPort(),
                    "Sec-Fetch-Site: same-origin",
                    "Content-Length: 0");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void isOutOfReachOfOtherMachinesOnTheEmbeddedServer() throws Exception {
        InetAddress other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst()
                .orElse(null);
        Assumptions.assumeThat(other).as("a network besides the loopback").isNotNull();
        int port = URI.create(url("")).getPort();

        assertThat(new Socket(InetAddress.getLoopbackAddress(), port)).satisfies(Socket::close);
        assertThat(catchThrowable(() -> new Socket(other, port).close())).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/lab", "/api/users/none", "/nowhere", "/swagger-ui/index.html"})
    void holdsEveryPageToOnePolicy(String path) throws Exception {
        assertThat(send(HttpRequest.newBuilder(URI.create(url(path)))).headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'self'")
                .doesNotContain("unsafe");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+1000000000-12-31T23:59:59.999999999Z",
                "-1000000000-01-01T00:00:00Z",
                "+292278995-01-01T00:00:00Z",
                "1969-12-31T23:50:00Z",
                "9999-12-31T23:50:00Z"
            })
    void refusesTimesThatCannotBe(String bucket) {
        api.get()
                .uri("/api/listing-requests/{bucket}/{id}", bucket, Uuids.timeBased())
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("bucket");
    }

    @Test
    void refusesALongBodyBeforeItIsRead() throws Exception {
        URI shop = URI.create(url(""));
        try (Socket socket = new Socket(shop.getHost(), shop.getPort())) {
            ask(
                    socket,
                    "PUT /api/users/%s HTTP/1.1".formatted(UUID.randomUUID()),
                    "Host: localhost:" + shop.getPort(),
                    "Content-Type: application/json",
                    "Content-Length: 1048577");
            // Nothing of the body is ever sent.
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 413".length());
            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void refusesAKeyThatStandsTwice() throws Exception {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url("/api/users/" + UUID.randomUUID())))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"login\": \"one\", \"login\": \"two\", \"email\": \"a@b.org\"}")));
        assertThat(answer.statusCode()).isEqualTo(HttpStatus.BAD_REQUEST.value());
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }

    @Test
    void showsWhatASellerWroteAsText() throws Exception {
        Map<String, Object> item = item(registered("seller"));
        item.put("name", "<script>alert(1)</script>");
        item.put("description", "<b>bold</b>\n</p><img src=x onerror=alert(1)>");

        HtmlPage page = browser.getPage(url("/items/" + listed(item)));

        assertThat(page.querySelector("h1").asNormalizedText()).isEqualTo("<script>alert(1)</script>");
        assertThat(page.querySelectorAll(".story b, .story img, main script")).isEmpty();
    }

    @Test
    void keepsWhatIsForOperatorsOffTheShopsPort() throws Exception {
        String operators = "http://localhost:" + management + "/actuator/";
        for (String address : List.of(operators + "health", operators + "leases", operators + "live")) {
            assertThat(send(HttpRequest.newBuilder(URI.create(address))).statusCode())
                    .as(address)
                    .isEqualTo(HttpStatus.OK.value());
        }
        for (String address : List.of(operators + "env", url("/actuator/health"), url("/actuator/live"))) {
            assertThat(send(HttpRequest.newBuilder(URI.create(address))).statusCode())
                    .as(address)
                    .isEqualTo(HttpStatus.NOT_FOUND.value());
        }
    }

    /** Sends the head of a request as it stands here, and nothing after it. */
    private static void ask(Socket socket, String... head) throws IOException {
        String request = String.join("\r\n", head) + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private HttpRequest.Builder post(String path, String form) {
        return HttpRequest.newBuilder(URI.create(url(path)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
