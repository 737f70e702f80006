package io.surewrite.alledeals.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.embedded.EmbeddedCassandra;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.Cookie;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** On a server of its own, since it is stopped. */
@DirtiesContext
class DatabaseAwayIntegrationTests extends ShopTest {

    private static EmbeddedCassandra cassandra;

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
    }

    @AfterAll
    static void stop() {
        cassandra.close();
    }

    @AfterEach
    void comeBack() {
        cassandra.node(0).resume();
    }

    @Test
    void answersWithAProblemOrAFriendlyPageAndRecovers() throws Exception {
        UUID id = registered("patient");
        browser.getCookieManager().addCookie(new Cookie("localhost", "shopper", id.toString()));

        cassandra.node(0).pause();

        get("/api/users/" + id)
                .expectStatus()
                .isEqualTo(503)
                .expectHeader()
                .valueEquals("Retry-After", "5")
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:alledeals:problem:database-unavailable");
        put("/api/users/" + id, user("patient"))
                .expectStatus()
                .isEqualTo(503)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:alledeals:problem:outcome-unknown");
        HtmlPage page = browser.getPage(url("/"));
        assertThat(page.getWebResponse().getStatusCode()).isEqualTo(503);
        assertThat(page.querySelector("h1").asNormalizedText()).isEqualTo("Our storeroom does not answer.");

        cassandra.node(0).resume();

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        put("/api/users/" + id, user("patient")).expectStatus().isOk());
    }
}
