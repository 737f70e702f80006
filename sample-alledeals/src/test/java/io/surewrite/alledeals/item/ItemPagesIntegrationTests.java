package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.testsupport.LongLane;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.htmlunit.WebRequest;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@LongLane
class ItemPagesIntegrationTests extends ShopTest {

    private UUID seller;

    @BeforeEach
    void registerASeller() {
        seller = registered("seller");
    }

    @Test
    void showsWhatASellerWroteAsText() throws Exception {
        Map<String, Object> item = item(seller);
        item.put("name", "<script>alert(1)</script>");
        item.put("description", "<b>bold</b>\n</p><img src=x onerror=alert(1)>");

        HtmlPage page = browser.getPage(url("/items/" + listed(item)));

        assertThat(page.querySelector("h1").asNormalizedText()).isEqualTo("<script>alert(1)</script>");
        assertThat(page.querySelectorAll(".story b, .story img, main script")).isEmpty();
    }

    @Test
    void leadsThroughTheShelfPageByPageWithoutScripts() throws Exception {
        for (int i = 0; i < 13; i++) {
            listed(item(seller));
        }
        HtmlPage first = browser.getPage(url("/"));
        assertThat(first.querySelectorAll(".card")).hasSize(12);
        assertThat(first.querySelector("h1").asNormalizedText()).isEqualTo("Good things, honestly described.");

        HtmlAnchor more = first.querySelector(".more a");
        HtmlPage second = more.click();

        assertThat(second.querySelector("h1").asNormalizedText()).isEqualTo("More items");
        assertThat(links(second)).isNotEmpty().doesNotContainAnyElementsOf(links(first));
    }

    @Test
    void loadsNothingFromOtherHosts() throws Exception {
        UUID id = listed(item(seller));
        for (String path : List.of("/", "/items/" + id, "/register", "/shopper", "/users/" + seller)) {
            HtmlPage page = browser.getPage(url(path));
            for (Object element : page.getByXPath("//*[@src or (@href and not(self::a))]")) {
                DomElement loading = (DomElement) element;
                String address =
                        loading.hasAttribute("src") ? loading.getAttribute("src") : loading.getAttribute("href");
                assertThat(URI.create(address).getHost())
                        .as(path + " loads " + address)
                        .isNull();
                assertThat(browser.loadWebResponse(new WebRequest(page.getFullyQualifiedUrl(address)))
                                .getStatusCode())
                        .as(address)
                        .isEqualTo(200);
            }
            assertThat(page.getWebResponse().getResponseHeaderValue("Content-Security-Policy"))
                    .contains("default-src 'self'");
        }
    }

    @Test
    void showsAFriendlyPageForWhatIsNotThere() throws Exception {
        for (String path :
                List.of("/items/" + Uuids.timeBased(), "/items/" + UUID.randomUUID(), "/items/garbage", "/nowhere")) {
            HtmlPage page = browser.getPage(url(path));
            assertThat(page.getWebResponse().getStatusCode()).as(path).isEqualTo(404);
            assertThat(page.querySelector("h1").asNormalizedText()).isEqualTo("Nothing on this shelf.");
        }
        HtmlPage page = browser.getPage(url("/?after=" + UUID.randomUUID()));
        assertThat(page.getWebResponse().getStatusCode()).isEqualTo(400);
        assertThat(text(page)).contains("after must be a version 1 UUID");
    }

    private static List<String> links(HtmlPage page) {
        return page.querySelectorAll(".card a").stream()
                .map(it -> ((HtmlAnchor) it).getHrefAttribute())
                .toList();
    }
}
