package io.surewrite.alledeals;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.htmlunit.WebClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
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
        browser = newBrowser();
    }

    @AfterEach
    void close() {
        browser.close();
        clock.reset();
    }

    protected static WebClient newBrowser() {
        WebClient browser = new WebClient();
        browser.getOptions().setJavaScriptEnabled(false);
        browser.getOptions().setCssEnabled(false);
        browser.getOptions().setThrowExceptionOnFailingStatusCode(false);
        return browser;
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
}
