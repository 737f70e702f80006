package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlRadioButtonInput;
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
    void listsAnItemInTheForm() throws Exception {
        HtmlForm form = filled();
        form.getInputByName("unitPrice").setValue("95,50");

        HtmlPage item = submit(form);

        assertThat(item.getUrl().getPath()).isEqualTo("/items/" + id(form));
        assertThat(text(item))
                .contains("Oak stool", "€95.50", "Only 3 left", "7 days left", "This is your own item.")
                .doesNotContain("Buy now", "of 3 offered");
        get("/api/items/" + id(form)).expectBody().jsonPath("$.tags").isEqualTo(List.of("oak", "stool"));
    }

    @Test
    void listsOnceWhenTheFormIsSentTwice() throws Exception {
        HtmlForm form = filled();

        HtmlPage first = submit(form);
        clock.travel(Duration.ofMinutes(2));
        HtmlPage second = submit(form);

        assertThat(second.getUrl()).isEqualTo(first.getUrl());
        assertThat(second.getWebResponse().getStatusCode()).isEqualTo(200);
    }

    @Test
    void showsTheFormAgainWithWhatWasTypedAndWhatIsWrong() throws Exception {
        HtmlForm form = filled();
        form.getInputByName("name").setValue("");
        form.getInputByName("unitPrice").setValue("a lot");
        form.getInputByName("offeredUnits").setValue("0");
        form.getInputByName("tags").setValue("Oak, <b>");
        form.<HtmlRadioButtonInput>getFirstByXPath(".//label[contains(., '14')]/input")
                .setChecked(true);

        HtmlPage again = submit(form);

        assertThat(again.getWebResponse().getStatusCode()).isEqualTo(422);
        assertThat(again.getElementById("name-error").asNormalizedText()).contains("must be given");
        assertThat(again.getElementById("unitPrice-error").asNormalizedText())
                .contains("must be a number such as 12.50");
        HtmlForm formAgain = again.getHtmlElementById("sell");
        assertThat(again.getElementById("offeredUnits-error").asNormalizedText())
                .contains("greater than or equal to 1");
        assertThat(again.getElementById("tags-error").asNormalizedText()).contains("must be lower-case");
        assertThat(formAgain.getInputByName("unitPrice").getValue()).isEqualTo("a lot");
        assertThat(formAgain.getInputByName("offeredUnits").getValue()).isEqualTo("0");
        assertThat(formAgain.getInputByName("tags").getValue()).isEqualTo("Oak, <b>");
        assertThat(formAgain.getTextAreaByName("description").getText()).isEqualTo("Three legs.");
        assertThat(formAgain.getCheckedRadioButton("endDate").getValue())
                .isEqualTo(form.getCheckedRadioButton("endDate").getValue());
        assertThat(id(formAgain)).isEqualTo(id(form));
        get("/api/items/" + id(form)).expectStatus().isNotFound();
    }

    @Test
    void startsAnewWhenTheFormWasLeftOpenUntilItsEndHadPassed() throws Exception {
        HtmlForm form = filled();
        clock.travel(Duration.ofDays(8));

        HtmlPage again = submit(form);

        assertThat(again.getWebResponse().getStatusCode()).isEqualTo(422);
        assertThat(again.querySelector("fieldset .error").asNormalizedText()).isEqualTo("must be in the future");
        assertThat(id(again.getHtmlElementById("sell"))).isNotEqualTo(id(form));
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
