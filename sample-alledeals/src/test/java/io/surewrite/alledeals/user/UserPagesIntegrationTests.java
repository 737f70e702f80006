package io.surewrite.alledeals.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import java.util.List;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.Cookie;
import org.junit.jupiter.api.Test;

class UserPagesIntegrationTests extends ShopTest {

    @Test
    void saysOnTheFormThatALoginIsTaken() throws Exception {
        submit(register("taken.name"));

        HtmlPage again = submit(register("Taken.Name"));

        assertThat(again.getWebResponse().getStatusCode()).isEqualTo(409);
        assertThat(again.getElementById("login-error").asNormalizedText()).isEqualTo("is taken by somebody else");
        assertThat(again.getElementById("email-error")).isNull();
    }

    @Test
    void registersInTheFormAndShopsAsTheNewUser() throws Exception {
        HtmlForm form = register("kata.user");
        form.getInputByName("fullName").setValue("Kata User");
        form.getTextAreaByName("about").setText("I try things.");

        HtmlPage profile = submit(form);

        assertThat(profile.getUrl().getPath()).matches("/users/[0-9a-f-]{36}");
        assertThat(profile.querySelector("h1").asNormalizedText()).isEqualTo("Kata User");
        assertThat(text(profile)).contains("@kata.user", "I try things.").doesNotContain("kata.user@example.org");
        assertThat(profile.querySelector("header").asNormalizedText()).contains("Shopping as kata.user");
        Cookie cookie = browser.getCookieManager().getCookie("shopper");
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getSameSite()).isEqualToIgnoringCase("lax");
    }

    @Test
    void showsWhatAProfileSaidAndLetsItsOwnerChangeIt() throws Exception {
        HtmlForm form = register("changing.mind");
        form.getInputByName("city").setValue("Bern");
        HtmlPage profile = submit(form);
        String journal = profile.getUrl().getPath() + "/journal";

        HtmlForm change = browser.<HtmlPage>getPage(url(journal)).getForms().get(0);
        change.getInputByName("city").setValue("Basel");
        HtmlPage changed = submit(change);

        assertThat(changed.getUrl().getPath()).isEqualTo(journal);
        assertThat(changed.getElementById("was-city").getParentNode().asNormalizedText())
                .matches("(?s)City.*Basel now, since .* UTC.*Bern since .* UTC");
        assertThat(text(changed)).doesNotContain("@example.org");

        browser.getCookieManager().clearCookies();
        HtmlPage seenByOthers = browser.getPage(url(journal));
        assertThat(seenByOthers.getForms()).isEmpty();
        assertThat(text(seenByOthers)).contains("Basel", "Bern");
    }

    @Test
    void changesNoProfileFromAFormOfSomeoneElse() throws Exception {
        HtmlPage mine = submit(register("opened.before"));
        HtmlForm change = browser.<HtmlPage>getPage(url(mine.getUrl().getPath() + "/journal"))
                .getForms()
                .get(0);
        change.getInputByName("city").setValue("Basel");
        HtmlPage theirs = submit(register("came.later"));

        HtmlPage again = submit(change);

        assertThat(again.getWebResponse().getStatusCode()).isEqualTo(422);
        assertThat(again.querySelector(".failed").asNormalizedText()).contains("shopping as somebody else");
        browser.getCookieManager().clearCookies();
        assertThat(header(submit(change))).contains("Who’s shopping?");
        for (HtmlPage profile : List.of(mine, theirs)) {
            assertThat(browser.<HtmlPage>getPage(url(profile.getUrl().getPath() + "/journal"))
                            .querySelector("main")
                            .asNormalizedText())
                    .doesNotContain("Basel");
        }
    }

    @Test
    void goesOnWhereSomebodyWasGoing() throws Exception {
        HtmlPage asked = browser.getPage(url("/sell"));
        HtmlPage registering = asked.<HtmlAnchor>getFirstByXPath("//main//a[contains(@href, '/register')]")
                .click();

        assertThat(submit(filled(registering, "on.the.way")).getUrl()).hasPath("/sell");
        for (String elsewhere : List.of("//example.org", "/\\sub.example.org", "https://example.org")) {
            HtmlPage forged = browser.getPage(url("/register?next=" + elsewhere.replace("\\", "%5C")));
            assertThat(submit(filled(forged, "stays." + elsewhere.replaceAll("[^a-z]", "")))
                            .getUrl()
                            .getPath())
                    .startsWith("/users/");
        }
    }

    private HtmlForm register(String login) throws Exception {
        return filled(browser.getPage(url("/register")), login);
    }

    private static HtmlForm filled(HtmlPage page, String login) {
        HtmlForm form = page.getForms().get(0);
        form.getInputByName("login").setValue(login);
        form.getInputByName("email").setValue(login.replaceAll("[^a-z.]", "x") + "@example.org");
        form.getInputByName("age").setValue("34");
        return form;
    }

    private static String header(HtmlPage page) {
        return page.querySelector("header").asNormalizedText();
    }
}
