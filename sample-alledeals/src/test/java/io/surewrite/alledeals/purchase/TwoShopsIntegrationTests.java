package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.AlleDealsApplication;
import io.surewrite.testsupport.LongLane;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Two instances of the shop on one database: each groups its own buyers, and the conditional update decides between them. */
@LongLane
class TwoShopsIntegrationTests extends PurchaseTest {

    private ConfigurableApplicationContext other;
    private RestTestClient otherApi;

    @BeforeEach
    void openTheOtherShop() {
        InetSocketAddress server = (InetSocketAddress) session.getMetadata().getNodes().values().stream()
                .findFirst()
                .orElseThrow()
                .getEndPoint()
                .resolve();
        other = new SpringApplicationBuilder(AlleDealsApplication.class)
                .properties(
                        "server.port=0",
                        "alledeals.demo-data=false",
                        "surewrite.schema.initialize=never",
                        "spring.cassandra.contact-points=127.0.0.1:" + server.getPort(),
                        "spring.cassandra.local-datacenter=datacenter1",
                        "spring.cassandra.keyspace-name="
                                + session.getKeyspace().orElseThrow().asInternal())
                .run("--surewrite.backlog.directory=target/backlog/${random.uuid}"); // over the one of the application
        otherApi = RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + other.getEnvironment().getProperty("local.server.port"))
                .build();
    }

    @AfterEach
    void closeTheOtherShop() {
        other.close();
    }

    @Test
    void oracle5FiftyBuyersInTwoShopsGetExactlyTen() throws Exception {
        UUID item = listed(seller, 10);

        List<Integer> answers =
                atOnce(50, number -> buyUntilAnswered(number % 2 == 0 ? api : otherApi, item, Uuids.timeBased(), 1));

        assertSold(answers, 10);
        assertBalanced(item);
        assertEverywhere(item, 0, true);
        purchasesOf(item).keySet().forEach(this::assertCompleted);
    }

    /** The other one does not know that the server is embedded: to it, this is a real cluster. */
    @Test
    void onARealClusterThereIsNoLabUnlessItIsOpened() {
        assertThat(home(api)).contains("href=\"/lab\"");
        get("/lab").expectStatus().isOk();

        assertThat(home(otherApi)).contains("href=\"/sell\"").doesNotContain("href=\"/lab\"");
        otherApi.get().uri("/lab").exchange().expectStatus().isNotFound();
        otherApi.post().uri("/lab/tombstones").exchange().expectStatus().isNotFound();
    }

    private static String home(RestTestClient shop) {
        return shop.get()
                .uri("/")
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseBody();
    }
}
