package io.surewrite.alledeals.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import java.util.regex.Pattern;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.web.servlet.client.RestTestClient;

class LiveEndpointIntegrationTests extends ShopTest {

    @LocalManagementPort
    private int management;

    @Test
    void countsAWriteOnThePageOfTheManagementPort() {
        registered("counted");

        manage("/actuator/live/numbers")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.health")
                .isEqualTo("UP")
                .jsonPath("$.series['surewrite.unique: overwrite, succeeded'].value")
                .value(Double.class, count -> assertThat(count).isPositive())
                .jsonPath("$.series['surewrite.unique: overwrite, succeeded'].grows")
                .isEqualTo(true)
                .jsonPath("$.series['surewrite.backlog.size'].grows")
                .isEqualTo(false);
    }

    @Test
    void hasAPageWithAllThatItLoads() throws Exception {
        HtmlPage page = browser.getPage("http://localhost:" + management + "/actuator/live");

        assertThat(page.getTitleText()).isEqualTo("AlleDeals now");
        var loaded = Pattern.compile("(?:src|href)=\"(live/[^\"]+)\"")
                .matcher(page.getWebResponse().getContentAsString())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(loaded).containsExactly("live/live.css", "live/live.js");
        loaded.forEach(part -> manage("/actuator/" + part)
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueMatches("Content-Type", "text/(css|javascript);charset=UTF-8"));
        manage("/actuator/live/other").expectStatus().isNotFound();
    }

    @Test
    void keepsWhatIsForOperatorsOffTheShopsPort() {
        manage("/actuator/health").expectStatus().isOk();
        manage("/actuator/leases").expectStatus().isOk();
        manage("/actuator/env").expectStatus().isNotFound();
        get("/actuator/health").expectStatus().isNotFound();
        get("/actuator/live").expectStatus().isNotFound();
    }

    private RestTestClient.ResponseSpec manage(String path) {
        return RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + management)
                .build()
                .get()
                .uri(path)
                .exchange();
    }
}
