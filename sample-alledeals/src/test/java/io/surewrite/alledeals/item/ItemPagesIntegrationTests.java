package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.testsupport.LongLane;
import java.util.Map;
import java.util.UUID;
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
}
