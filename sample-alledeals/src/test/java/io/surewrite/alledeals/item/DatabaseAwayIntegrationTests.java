package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.web.Storeroom;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * On a server of its own, since it is stopped. Nobody waits for it long.
 *
 * <p>No other class can share its context, which would run on beside all later ones, with its server and its jobs of every
 * second. So it is the only one that is closed when its class ends. Made by hand it would find what other tests configure, as
 * only a context of the test framework leaves that out of its scan.
 */
@DirtiesContext
class DatabaseAwayIntegrationTests extends ShopTest {

    private static EmbeddedCassandra cassandra;

    @Autowired
    private WriteBacklog backlog;

    @Autowired
    private Storeroom storeroom;

    @DynamicPropertySource
    static void connection(DynamicPropertyRegistry properties) {
        cassandra = EmbeddedCassandra.builder().start();
        cassandra.createKeyspace("away");
        properties.add(
                "spring.cassandra.contact-points",
                () -> "127.0.0.1:" + cassandra.contactPoint().getPort());
        properties.add("spring.cassandra.local-datacenter", cassandra::localDatacenter);
        properties.add("spring.cassandra.keyspace-name", () -> "away");
        properties.add("surewrite.schema.initialize", () -> "always");
        properties.add("spring.cassandra.request.timeout", () -> "1s");
        properties.add("surewrite.conditional.request-timeout", () -> "2100ms");
        properties.add("surewrite.conditional.attempt-timeout", () -> "1s");
        properties.add("surewrite.unique.timeout", () -> "3s");
        properties.add("surewrite.retry.attempts", () -> "2");
        properties.add("alledeals.reconcile-every", () -> "1s");
    }

    @AfterAll
    static void stop() {
        cassandra.close();
    }

    /** What a test before this one has made the shop believe is over. */
    @BeforeEach
    void isThere() {
        soon(() -> assertThat(storeroom.ask(() -> true, () -> false)).isTrue());
    }

    @AfterEach
    void comeBack() {
        cassandra.node(0).resume();
    }

    @Test
    void keepsRequestsToListAndTellsWhatBecomesOfThem() {
        UUID seller = registered("seller");
        Map<String, Object> lamp = item(seller);
        UUID standing = Uuids.timeBased();
        // On a busy machine a listing may be kept for a moment though the database is there.
        soon(() -> put("/api/items/" + standing, lamp)
                .expectStatus()
                .value(status -> assertThat(status).isIn(200, 201)));
        soon(() -> assertThat(backlog.size().entries()).isZero());
        Map<String, Object> another = item(seller);
        another.put("name", "Silver lamp");
        UUID id = Uuids.timeBased();

        stayWithinTenMinutes();
        cassandra.node(0).pause();
        String kept = accepted(id, lamp);
        assertThat(accepted(id, lamp)).isEqualTo(kept);
        String conflict = accepted(standing, another);
        String ofNobody = accepted(Uuids.timeBased(), item(UUID.randomUUID()));
        assertProgress(kept, "KEPT");
        get(kept).expectBody().jsonPath("$.item.name").isEqualTo("Brass lamp");
        assertThat(backlog.size().entries()).isEqualTo(4);

        cassandra.node(0).resume();

        soon(() -> assertProgress(kept, "LISTED"));
        soon(() -> get("/api/users/" + seller + "/items")
                .expectBody()
                .jsonPath("$.items.length()")
                .isEqualTo(2));
        soon(() -> assertThat(backlog.size().entries()).isZero());
        assertProgress(conflict, "REFUSED");
        get(conflict)
                .expectBody()
                .jsonPath("$.problem.type")
                .isEqualTo("urn:alledeals:problem:item-conflict")
                .jsonPath("$.problem.differs[0]")
                .isEqualTo("name");
        assertProgress(ofNobody, "REFUSED");
        get(ofNobody).expectBody().jsonPath("$.problem.type").isEqualTo("urn:alledeals:problem:unknown-seller");
        put("/api/items/" + id, lamp).expectStatus().isOk();
        get("/api/items/" + standing).expectBody().jsonPath("$.name").isEqualTo("Brass lamp");
    }

    /** An address names the ten minutes in which it was asked for: the next minute is within the same. */
    private void stayWithinTenMinutes() {
        long past = clock.instant().getEpochSecond() % Duration.ofMinutes(10).toSeconds();
        Duration left = Duration.ofMinutes(10).minusSeconds(past);
        if (left.compareTo(Duration.ofMinutes(1)) < 0) {
            clock.travel(left);
        }
    }

    @Test
    @LongLane
    void takesAnItemInTheFormAndShowsHowFarItIs() throws Exception {
        shopAs(registered("seller"));
        HtmlForm form = browser.<HtmlPage>getPage(url("/sell")).getHtmlElementById("sell");
        form.getInputByName("name").setValue("Oak stool");
        form.getTextAreaByName("description").setText("Three legs.");
        form.getInputByName("unitPrice").setValue("95.50");
        form.getInputByName("offeredUnits").setValue("1");

        cassandra.node(0).pause();
        HtmlPage noted = submit(form);

        assertThat(noted.getUrl().getPath()).startsWith("/listing-requests/");
        assertThat(noted.querySelector("h1").asNormalizedText()).isEqualTo("We have noted it.");
        assertThat(text(noted)).contains("Oak stool", "Look again");

        cassandra.node(0).resume();

        soon(() -> assertThat(browser.<HtmlPage>getPage(noted.getUrl())
                        .querySelector("h1")
                        .asNormalizedText())
                .isEqualTo("It is on the shelf."));
        HtmlPage item = browser.<HtmlPage>getPage(noted.getUrl())
                .getAnchorByText("The item")
                .click();
        assertThat(item.querySelector("h1").asNormalizedText()).isEqualTo("Oak stool");
    }

    /** Where to look for what becomes of it. */
    private String accepted(UUID id, Map<String, Object> item) {
        return String.valueOf(put("/api/items/" + id, item)
                .expectStatus()
                .isAccepted()
                .returnResult(String.class)
                .getResponseHeaders()
                .getFirst(HttpHeaders.LOCATION));
    }

    private void assertProgress(String location, String state) {
        get(location).expectStatus().isOk().expectBody().jsonPath("$.state").isEqualTo(state);
    }

    private static void soon(ThrowingRunnable assertion) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }
}
