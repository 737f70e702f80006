package io.surewrite.alledeals.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.lab.BadNetwork;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/** Through the shop in a real browser, scripts, policy and all. The pictures are in {@code target/screenshots}. */
@TestPropertySource(properties = {"alledeals.demo-data=true", "alledeals.reconcile-every=1s"})
class JourneyIntegrationTests extends ShopTest {

    /** The script of axe, if {@code -Dalledeals.axe} says where it is: it comes from another registry than Maven's. */
    private static final @Nullable String AXE = script(System.getProperty("alledeals.axe"));

    private static Chromium chromium;

    /** What axe found on all pages. */
    private final List<String> barriers = new ArrayList<>();

    @Autowired
    private BadNetwork network;

    @LocalManagementPort
    private int management;

    @BeforeAll
    static void startTheBrowser() throws Exception {
        Optional<Path> program = Chromium.installed();
        assumeThat(program).as("Chromium on the path").isPresent();
        chromium = Chromium.start(program.get());
    }

    @AfterEach
    void bringsNoBarriers() {
        assertThat(barriers).isEmpty();
    }

    @AfterAll
    static void stopTheBrowser() throws Exception {
        if (chromium != null) {
            chromium.close();
        }
    }

    @Test
    void registersSellsBuysAndRaces() {
        chromium.resize(1280, 860);
        registersSellsBuysAndRaces("wide");
    }

    @Test
    @LongLane
    void registersSellsBuysAndRacesOnAPhone() {
        chromium.resize(390, 844);
        registersSellsBuysAndRaces("narrow");
    }

    private void registersSellsBuysAndRaces(String screen) {
        visit("/", screen, "browse");
        assertThat(chromium.count(".card")).isEqualTo(12);
        chromium.click(".more a");
        chromium.awaitTrue("document.querySelectorAll('.card').length > 12");

        visit("/shopper", screen, "shopper");
        assertThat(chromium.count(".people li")).isEqualTo(6);
        visit("/items/" + Uuids.timeBased(), screen, "error");
        assertThat(chromium.text("h1")).isEqualTo("Nothing on this shelf.");

        visit("/register", screen, "register");
        chromium.type("#login", "a b");
        chromium.evaluate("document.querySelector('form.sheet').noValidate = true");
        chromium.follow("form.sheet button");
        assertThat(chromium.text("main")).contains("Please look at the fields in red");
        seen(screen, "register-refused");
        chromium.type("#login", "journey." + screen);
        chromium.type("#email", "journey." + screen + "@example.org");
        chromium.type("#age", "34");
        chromium.follow("form.sheet button");
        assertThat(chromium.text("h1")).isEqualTo("journey." + screen);
        seen(screen, "user");
        String me = chromium.evaluate("location.pathname").asString();
        visit(me + "/journal", screen, "journal");
        showsThatItWorks();

        visit("/sell", screen, "sell");
        chromium.type("#name", "Enamel jug");
        chromium.type("#description", "One chip, at the foot.");
        chromium.type("#unitPrice", "18.50");
        chromium.type("#offeredUnits", "5");
        chromium.type("#tags", "enamel, kitchen");
        chromium.evaluate("document.querySelector('#name').dispatchEvent(new Event('input', {bubbles: true}))");
        chromium.awaitTrue("document.querySelector('.preview').innerText.includes('Enamel jug')");
        chromium.follow("#sell button");
        assertThat(chromium.text("#stock")).contains("5 available");

        String item = chromium.evaluate("location.pathname").asString();
        seen(screen, "item");
        leavesThePageAloneWhileNothingIsNew();
        somebodyBuys(item, 3);
        chromium.awaitTrue("document.querySelector('#stock').innerText.includes('Only 2 left')");
        assertThat(chromium.text(".offer")).contains("This is your own item.").doesNotContain("Buy now");
        chromium.open(url("/users/" + registered("buyer." + screen)));
        chromium.follow("main form button");
        chromium.open(url(item));
        chromium.follow("form.buy button");
        assertThat(chromium.text("h1")).isEqualTo("It is yours.");
        seen(screen, "purchase");
        chromium.follow("#how");
        seen(screen, "how");
        visit("/purchases", screen, "purchases");
        assertThat(chromium.text("main")).contains("Enamel jug", "€18.50");
        visit("/tags/enamel", screen, "tag");
        assertThat(chromium.text("main")).contains("Enamel jug", "The only one");
        visit(me + "/items", screen, "user-items");
        assertThat(chromium.text("main")).contains("Enamel jug", "The only one");
        chromium.follow("p.lead a");
        seen(screen, "history");
        assertThat(chromium.text("main")).contains("Enamel jug", "The only one");

        comesTooLate(screen, item);
        hearsNothingAndAsksAgain(screen);
        compares(screen);
        races(screen);
        seesTheMeters(screen);
        chromium.open(url("/"));
        readsTheDescriptionOfTheApi(screen);
    }

    private void seesTheMeters(String screen) {
        chromium.open("http://localhost:" + management + "/actuator/live");
        chromium.awaitTrue("document.querySelectorAll('#series polyline[points*=\" \"]').length > 5");
        assertThat(chromium.text("#health")).isEqualTo("UP");
        assertThat(chromium.text("#series")).contains("Unique values", "overwrite, succeeded", "a second");
        seen(screen, "live");
    }

    /** New parts of a page come while a visitor is about to press a button, or listens. */
    @Test
    @LongLane
    void keepsTheFocusAndSaysNothingTwiceWhileItPolls() {
        chromium.resize(1280, 860);
        chromium.open(url("/lab"));
        chromium.follow("#lease button");
        chromium.evaluate("""
            window.said = [];
            window.polls = 0;
            new MutationObserver(() => said.push(document.querySelector('#lease [role=status]').innerText))
                    .observe(document.querySelector('#leases'), {subtree: true, childList: true, characterData: true});
            document.addEventListener('htmx:afterRequest', ({detail}) => {
                if (detail.requestConfig.path == '/lab/leases') polls++;
            });
            undefined""");
        chromium.awaitTrue("document.querySelector('#lease').innerText.includes('The second holder waits')");
        chromium.awaitTrue("polls >= 6");
        List<String> said =
                chromium.evaluate("said").valueStream().map(JsonNode::asString).toList();
        assertThat(chromium.count("#leases [role=status]"))
                .as("what is listened to")
                .isEqualTo(1);
        assertThat(said).doesNotHaveDuplicates();

        chromium.follow("#lease form[action$=kill] button");
        chromium.evaluate("""
            window.pressed = document.querySelector('#lease button');
            pressed.focus();
            undefined""");
        chromium.awaitTrue("document.querySelector('#lease').innerText.includes('The second holder has the lease')");
        assertThat(chromium.evaluate("pressed.isConnected").asBoolean())
                .as("an old button")
                .isFalse();
        chromium.awaitTrue("document.querySelector('#lease button') == document.activeElement");
    }

    /** A form that is sent and not answered yet: the browser stays where it is, as the form goes nowhere. */
    private void showsThatItWorks() {
        chromium.evaluate("window.addEventListener('submit', event => event.preventDefault(), {once: true})");
        chromium.click("form.sheet button");
        assertThat(chromium.evaluate("document.querySelector('form.sheet button').getAttribute('aria-busy')")
                        .asString())
                .isEqualTo("true");
    }

    /** A poll that brings what is there already would take the focus, and be read out again. */
    private void leavesThePageAloneWhileNothingIsNew() {
        chromium.evaluate(
                "window.polls = 0; document.addEventListener('htmx:afterRequest', () => window.polls++); undefined");
        chromium.awaitTrue("window.polls >= 1");
        chromium.evaluate("document.querySelector('#live').dataset.same = 'yes'");
        chromium.awaitTrue("window.polls >= 3");
        assertThat(chromium.evaluate("document.querySelector('#live').dataset.same")
                        .asString())
                .isEqualTo("yes");
    }

    private void somebodyBuys(String item, int quantity) {
        UUID id = UUID.fromString(item.substring("/items/".length()));
        buy(id, Uuids.timeBased(), registered("somebody"), quantity)
                .expectStatus()
                .isCreated();
    }

    private void comesTooLate(String screen, String item) {
        chromium.open(url(item));
        somebodyBuys(item, 1);
        chromium.follow("form.buy button");
        assertThat(chromium.text("h1")).isEqualTo("Sold out.");
        seen(screen, "refused");
        visit(item, screen, "item-sold-out");
        assertThat(chromium.text("#live")).contains("None left");
    }

    private void hearsNothingAndAsksAgain(String screen) {
        UUID lamp = listed(registered("seller." + screen), 5);
        network.lose(lamp, Collections.nCopies(1000, Loss.REQUEST));
        chromium.open(url("/items/" + lamp));
        chromium.follow("form.buy button");
        assertThat(chromium.text("h1")).isEqualTo("Not known yet.");
        seen(screen, "unknown");
        network.heal(lamp);
        chromium.follow("form.actions button");
        assertThat(chromium.text("h1")).isEqualTo("It is yours.");
    }

    /** Every experiment that the page lists: the plain side goes wrong at least once with this seed, and ours never. */
    private void compares(String screen) {
        chromium.open(url("/lab?seed=7"));
        List<String> experiments = chromium.evaluate(
                        "[...document.querySelectorAll('#sides-form input[name=experiment]')].map(each => each.value)")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        assertThat(experiments).isNotEmpty();
        for (String experiment : experiments) {
            assertThat(IntStream.range(0, 5).anyMatch(time -> goesWrongPlainly(experiment)))
                    .as(experiment)
                    .isTrue();
            chromium.evaluate("document.querySelector('.panes').scrollIntoView({behavior: 'instant'})");
            seen(screen, "lab-" + experiment);
        }
        playsAndSteps(screen);
        chromium.follow("#about");
        seen(screen, "lab-text");
        assertThat(chromium.text("h1")).startsWith("docs/");
    }

    /** The timelines show all at first, then a message at a time, said to a screen reader, and then play by themselves. */
    private void playsAndSteps(String screen) {
        String shown =
                "[...document.querySelectorAll('.timeline li')].filter(each => getComputedStyle(each).visibility =="
                        + " 'visible').length";
        int all = chromium.count(".timeline li");
        assertThat(chromium.evaluate(shown).asInt()).isEqualTo(all).isGreaterThan(5);
        chromium.click(".player .step");
        chromium.click(".player .step");
        assertThat(chromium.evaluate(shown).asInt()).isEqualTo(2);
        assertThat(chromium.text(".player [role=status]"))
                .matches("(?s)(Plain Spring Data|Surewrite): \\d+ ms .+")
                .endsWith(
                        chromium.evaluate("document.querySelector('[aria-current=step]').textContent.replace(/\\s+/g, '"
                                        + " ').trim()")
                                .asString());
        seen(screen, "lab-step");
        chromium.click(".player .back");
        assertThat(chromium.evaluate(shown).asInt()).isEqualTo(1);
        chromium.evaluate("document.querySelector('.player .speed').value = '1'");
        chromium.click(".player .play");
        chromium.awaitTrue(shown + " == " + all);
        chromium.awaitTrue("document.querySelector('.player .play').innerText == 'Play'");
    }

    private boolean goesWrongPlainly(String experiment) {
        chromium.evaluate("document.querySelector('#sides').removeAttribute('data-experiment')");
        chromium.click("#sides-form input[value=" + experiment + "]");
        chromium.click("#sides-form button");
        chromium.awaitTrue("document.querySelector('#sides[data-experiment=" + experiment + "]') != null");
        assertThat(chromium.text("#sides .pane:last-child .verdict"))
                .as(experiment + ": " + chromium.text("#sides"))
                .startsWith("Right.");
        return chromium.text("#sides .pane:first-child .wrong").startsWith("Wrong.");
    }

    private void races(String screen) {
        visit("/lab", screen, "lab-empty");
        chromium.follow("form[action=\"/lab/races\"] button");
        chromium.awaitTrue("document.querySelector('#race-text').innerText.includes('Sold + left = offered.')");
        assertThat(chromium.text("#race-text")).startsWith("10 bought, 40 refused, 0 unknown");
        chromium.click("form[action=\"/lab/timeouts\"] button");
        chromium.awaitTrue("document.querySelector('#timeout').innerText.includes('One purchase.')");
        seen(screen, "lab");
    }

    private void readsTheDescriptionOfTheApi(String screen) {
        chromium.follow("footer a[href=\"/swagger-ui/index.html\"]");
        chromium.awaitTrue("document.querySelectorAll('.opblock').length > 10");
        seen(screen, "api");
    }

    private void visit(String path, String screen, String name) {
        chromium.open(url(path));
        seen(screen, name);
    }

    private static @Nullable String script(@Nullable String file) {
        try {
            return file == null ? null : Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing is cut off at the side, and a picture is taken. */
    private void seen(String screen, String name) {
        chromium.screenshot(Path.of("target", "screenshots", name + "-" + screen + ".png"));
        assertThat(chromium.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                        .asInt())
                .as(name + " on a " + screen + " screen")
                .isLessThanOrEqualTo(0);
        assertThat(chromium.evaluate("""
            new Set([...document.querySelectorAll('.top a')].filter(link => link.offsetParent)
                    .map(link => link.getBoundingClientRect()).map(box => Math.round(box.top + box.height / 2))).size
            """).asInt())
                .as("rows of the header of " + name + " on a " + screen + " screen")
                .isLessThanOrEqualTo(1);
        if (AXE != null && !name.equals("api")) { // that page is Swagger's own
            for (String scheme : List.of("light", "dark")) {
                chromium.scheme(scheme);
                String found = axe();
                if (!found.isEmpty()) {
                    barriers.add("%s, %s, %s: %s".formatted(name, screen, scheme, found));
                }
            }
            chromium.scheme("light");
        }
    }

    /** What axe, a checker of accessibility, finds on the page: rules, and what breaks them. */
    private static String axe() {
        if (!chromium.evaluate("'axe' in window").asBoolean()) {
            chromium.evaluate(AXE);
        }
        chromium.evaluate("""
            window.found = null;
            document.getAnimations().forEach(animation => animation.finish());
            axe.run().then(results => window.found = results.violations
                    .map(rule => rule.id + ': ' + rule.nodes.map(node => node.html).join(' | ')).join('\\n'))
            """);
        chromium.awaitTrue("window.found !== null");
        return chromium.evaluate("window.found").asString();
    }
}
