package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.testsupport.LongLane;
import java.util.UUID;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Buying in the browser, without scripts. */
@LongLane
class PurchasePagesIntegrationTests extends PurchaseTest {

    @BeforeEach
    void shopAsTheBuyer() {
        shopAs(buyer);
    }

    @Test
    void buysNowAndFindsItAmongMyPurchases() throws Exception {
        UUID item = listed(seller, 10);
        HtmlForm form = form(item);
        form.getInputByName("quantity").setValue("2");

        HtmlPage receipt = submit(form);

        assertThat(receipt.querySelector("h1").asNormalizedText()).isEqualTo("It is yours.");
        assertThat(text(receipt)).contains("Brass lamp", "€49.90", "€99.80");
        HtmlPage how = receipt.<HtmlAnchor>getHtmlElementById("how").click();
        assertThat(text(how)).contains("USING TTL :ttl AND TIMESTAMP :timestamp", "IF available_units = :before");
        assertThat(how.getElementById("completed").asNormalizedText())
                .isEqualTo(String.valueOf(session.execute(
                                "SELECT writetime(status) FROM cass_master_purchase WHERE purchase_id = ?",
                                UUID.fromString(receipt.getUrl().getPath().substring("/purchases/".length())))
                        .one()
                        .getLong(0)));
        HtmlPage mine = receipt.<HtmlAnchor>querySelector(".actions a").click();
        assertThat(text(mine)).contains("Brass lamp", "2 × €49.90", "€99.80");
        assertEverywhere(item, 8, false);
    }

    @Test
    void keepsAQuantityThatIsNotPossibleToBeCorrected() throws Exception {
        HtmlForm form = form(listed(seller, 1));
        form.getInputByName("quantity").setValue("many");

        HtmlPage refused = submit(form);

        assertThat(refused.getWebResponse().getStatusCode()).isEqualTo(422);
        assertThat(text(refused)).contains("quantity must be from 1 to the 1 offered");
        assertThat(refused.getForms().get(0).getInputByName("quantity").getValue())
                .isEqualTo("many");
    }

    private HtmlForm form(UUID item) throws Exception {
        HtmlPage page = browser.getPage(url("/items/" + item));
        return (HtmlForm) page.querySelector("form.buy");
    }
}
