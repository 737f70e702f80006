package io.surewrite.alledeals;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.htmlunit.WebClient;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.Cookie;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.BodyContentSpec;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** A test of the whole shop, without demo data, on a random port and the embedded server. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "alledeals.demo-data=false",
            "alledeals.purchase.patience=4s",
            "surewrite.backlog.directory=target/backlog/${random.uuid}"
        })
@Import(TravellingClock.class)
public abstract class ShopTest {

    private static final AtomicInteger USERS = new AtomicInteger();

    protected RestTestClient api;

    /** A browser that runs no scripts: every page has to do without. */
    protected WebClient browser;

    @Autowired
    protected TravellingClock clock;

    @LocalServerPort
    private int port;

    @BeforeEach
    void open() {
        api = RestTestClient.bindToServer().baseUrl(url("")).build();
        browser = new WebClient();
        browser.getOptions().setJavaScriptEnabled(false);
        browser.getOptions().setCssEnabled(false);
        browser.getOptions().setThrowExceptionOnFailingStatusCode(false);
    }

    @AfterEach
    void close() {
        browser.close();
        clock.reset();
    }

    protected String url(String path) {
        return "http://localhost:" + port + path;
    }

    protected static Map<String, Object> user(String login) {
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("login", login);
        user.put("email", login + "@example.org");
        user.put("age", 34);
        return user;
    }

    protected Map<String, Object> item(UUID sellerId) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("sellerId", sellerId.toString());
        item.put("name", "Brass lamp");
        item.put("description", "Works. The switch is stiff.");
        item.put("unitPrice", new BigDecimal("49.90"));
        item.put("offeredUnits", 10);
        item.put(
                "endDate",
                clock.instant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .plus(Duration.ofDays(7))
                        .toString());
        item.put("tags", List.of("brass", "lamp"));
        return item;
    }

    /** Registers a user under this login and a number, as nobody else has it. */
    protected UUID registered(String login) {
        UUID id = UUID.randomUUID();
        put("/api/users/" + id, user(login + "." + USERS.incrementAndGet()))
                .expectStatus()
                .isCreated();
        return id;
    }

    protected UUID listed(Map<String, Object> item) {
        UUID id = Uuids.timeBased();
        put("/api/items/" + id, item).expectStatus().isCreated();
        return id;
    }

    protected UUID listed(UUID sellerId, int units) {
        Map<String, Object> item = item(sellerId);
        item.put("offeredUnits", units);
        return listed(item);
    }

    protected ResponseSpec buy(UUID itemId, UUID purchaseId, UUID buyerId, int quantity) {
        return put(
                "/api/items/%s/purchases/%s".formatted(itemId, purchaseId),
                Map.of("buyerId", buyerId.toString(), "quantity", quantity));
    }

    protected ResponseSpec put(String path, Object body) {
        return api.put()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .exchange();
    }

    protected ResponseSpec get(String path) {
        return api.get().uri(path).exchange();
    }

    /** What there is at a path. */
    protected Map<String, Object> json(String path) {
        return get(path)
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .returnResult()
                .getResponseBody();
    }

    /** One property of all entries of a list, page by page. */
    protected List<Object> everyPage(String path, String parameter, String property) {
        List<Object> seen = new ArrayList<>();
        Object next = "";
        while (next != null) {
            Map<String, Object> page = json(path + (next.equals("") ? "" : "&" + parameter + "=" + next));
            List<?> items = (List<?>) page.get("items");
            assertThat(items).hasSizeLessThanOrEqualTo(3);
            items.forEach(item -> seen.add(((Map<?, ?>) item).get(property)));
            next = page.get("next");
        }
        return seen;
    }

    /** Says what is wrong, to people and to programs; what else it says is returned. */
    protected static BodyContentSpec refused(ResponseSpec answer, int status, String type) {
        return answer.expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:alledeals:problem:" + type);
    }

    /** The same of the one field that is wrong. */
    protected static void refused(ResponseSpec answer, int status, String type, String field) {
        refused(answer, status, type)
                .jsonPath("$.errors[*].field")
                .isEqualTo(List.of(field))
                .jsonPath("$.errors[0].message")
                .isNotEmpty();
    }

    protected void shopAs(UUID user) {
        browser.getCookieManager().clearCookies();
        browser.getCookieManager().addCookie(new Cookie("localhost", "shopper", user.toString()));
    }

    /** Sends the form as it is, past the browser's own checks. */
    protected static HtmlPage submit(HtmlForm form) throws IOException {
        form.setAttribute("novalidate", "");
        return form.<HtmlButton>getFirstByXPath(".//button").click();
    }

    protected static String text(HtmlPage page) {
        return page.querySelector("main").asNormalizedText();
    }
}
