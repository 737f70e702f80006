package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import java.util.UUID;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SellPagesIntegrationTests extends ShopTest {

    private UUID seller;

    @BeforeEach
    void shopAsASeller() {
        seller = registered("seller");
        shopAs(seller);
    }

    @Test
    void sellsInNobodysName() throws Exception {
        HtmlForm form = filled();
        shopAs(registered("somebody.else"));

        HtmlPage again = submit(form);

        assertThat(again.querySelector(".failed").asNormalizedText()).contains("shopping as somebody else");
        browser.getCookieManager().clearCookies();
        HtmlPage asked = submit(form);
        assertThat(asked.getUrl()).hasPath("/shopper").hasQuery("next=/sell");
        assertThat(browser.<HtmlPage>getPage(url("/sell")).getUrl().getPath()).isEqualTo("/shopper");
        get("/api/items/" + id(form)).expectStatus().isNotFound();
    }

    private HtmlForm filled() throws Exception {
        HtmlPage page = browser.getPage(url("/sell"));
        HtmlForm form = page.getHtmlElementById("sell");
        form.getInputByName("name").setValue("Oak stool");
        form.getTextAreaByName("description").setText("Three legs.");
        form.getInputByName("unitPrice").setValue("95.5");
        form.getInputByName("offeredUnits").setValue("3");
        form.getInputByName("tags").setValue("stool, oak");
        return form;
    }

    private static String id(HtmlForm form) {
        return form.getInputByName("id").getValue();
    }
}
