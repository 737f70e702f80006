package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.lab.BadNetwork;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.testsupport.LongLane;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.Cookie;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Buying in the browser, without scripts. */
@LongLane
class PurchasePagesIntegrationTests extends PurchaseTest {

    @Autowired
    private BadNetwork network;

    @BeforeEach
    void shopAsTheBuyer() {
        browser.getCookieManager().addCookie(new Cookie("localhost", "shopper", buyer.toString()));
    }

    @Test
    void buysNowAndFindsItAmongMyPurchases() throws Exception {
        UUID item = listed(seller, 10);
        HtmlForm form = form(item);
        form.getInputByName("quantity").setValue("2");

        HtmlPage receipt = send(form);

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
    void buysOnceWhenTheButtonIsPressedTwice() throws Exception {
        UUID item = listed(seller, 10);
        HtmlForm form = form(item);

        HtmlPage first = send(form);
        HtmlPage second = send(form);

        assertThat(second.getUrl()).isEqualTo(first.getUrl());
        assertEverywhere(item, 9, false);
    }

    @Test
    void saysWhyNothingWasBought() throws Exception {
        UUID item = listed(seller, 1);
        HtmlForm tooLate = form(item);
        HtmlForm wrong = form(item);
        wrong.getInputByName("quantity").setValue("many");
        HtmlPage impossible = send(wrong);
        assertThat(impossible.getWebResponse().getStatusCode()).isEqualTo(422);
        assertThat(text(impossible))
                .contains("The quantity is not possible", "quantity must be from 1 to the 1 offered");
        assertThat(impossible.getForms().get(0).getInputByName("quantity").getValue())
                .isEqualTo("many");
        buy(item, id, buyer, 1).expectStatus().isCreated();

        HtmlPage refused = send(tooLate);

        assertThat(refused.getWebResponse().getStatusCode()).isEqualTo(409);
        assertThat(text(refused)).contains("Sold out.", "Nothing is left.", "Nothing was bought.");
        HtmlPage back = browser.getPage(url("/items/" + item));
        assertThat(text(back)).contains("None left", "Sold out").doesNotContain("Buy now");
    }

    @Test
    void asksAgainForTheSamePurchaseWhenNobodyKnows() throws Exception {
        UUID item = listed(seller, 10);
        network.lose(item, Collections.nCopies(1000, Loss.REQUEST));

        HtmlPage unknown = send(form(item));

        assertThat(unknown.getWebResponse().getStatusCode()).isEqualTo(503);
        assertThat(text(unknown)).contains("Not known yet.", "you will not buy twice");
        network.heal(item);
        HtmlPage receipt = send(unknown.getForms().get(0));
        assertThat(receipt.querySelector("h1").asNormalizedText()).isEqualTo("It is yours.");
        assertThat(purchasesOf(item)).hasSize(1);
        assertEverywhere(item, 9, false);
    }

    @Test
    void asksWhoIsShoppingFirst() throws Exception {
        UUID item = listed(seller, 10);
        HtmlForm form = form(item);
        browser.getCookieManager().clearCookies();

        assertThat(send(form).getUrl()).hasPath("/shopper").hasQuery("next=/items/" + item);
        assertThat(browser.<HtmlPage>getPage(url("/purchases")).getUrl().getPath())
                .isEqualTo("/shopper");
        assertThat(text(browser.getPage(url("/items/" + item)))).contains("Choose who is shopping");
    }

    @Test
    void handsOutTheStockAloneToAPageThatIsOpen() {
        UUID item = listed(seller, 10);
        buy(item, id, buyer, 8).expectStatus().isCreated();

        String stock = get("/items/" + item + "/stock")
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseBody();

        assertThat(stock)
                .startsWith("<div")
                .contains("Only 2 left", "hx-get=\"/items/" + item + "/stock\"")
                .doesNotContain("<html");
    }

    @Test
    void showsListingsByTagBySellerAndByMonth() throws Exception {
        Map<String, Object> item = item(seller);
        item.put("name", "<b>Lamp</b>");
        item.put("tags", List.of("page-test"));
        UUID listed = listed(item);
        HtmlPage page = browser.getPage(url("/items/" + listed));

        HtmlPage tag = page.<HtmlAnchor>querySelector(".tags a").click();
        assertThat(tag.querySelector(".card .name").asNormalizedText()).isEqualTo("<b>Lamp</b>");
        HtmlPage items = browser.getPage(url("/users/" + seller + "/items"));
        assertThat(text(items)).contains("Listed by seller", "<b>Lamp</b>");
        HtmlPage history = items.<HtmlAnchor>querySelector(".lead a").click();
        assertThat(text(history)).contains("<b>Lamp</b>");
        HtmlPage before = history.<HtmlAnchor>querySelector(".months a").click();
        assertThat(text(before)).contains("Nothing was listed in this month.");
        HtmlPage empty = browser.getPage(url("/tags/nobody-has-this"));
        assertThat(text(empty)).contains("Nothing is listed under this tag now.");
        HtmlPage elsewhere = browser.getPage(url("/tags/page-test?cursor=garbage"));
        assertThat(elsewhere.getWebResponse().getStatusCode()).isEqualTo(400);
    }

    private HtmlForm form(UUID item) throws Exception {
        HtmlPage page = browser.getPage(url("/items/" + item));
        return (HtmlForm) page.querySelector("form.buy");
    }

    private static HtmlPage send(HtmlForm form) throws Exception {
        form.setAttribute("novalidate", "");
        return form.<HtmlButton>getFirstByXPath(".//button").click();
    }

    private static String text(HtmlPage page) {
        return page.querySelector("main").asNormalizedText();
    }
}
