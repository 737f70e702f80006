package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.alledeals.lab.Comparison.Experiment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;

/** The Lab shows what the database says: oracles 5, 7 and 8 once more, for people to try. */
class LabIntegrationTests extends ShopTest {

    @Autowired
    private LostAnswers lostAnswers;

    @Autowired
    private Tombstones tombstones;

    @Autowired
    private SideBySide sideBySide;

    @Autowired
    private LabMembers members;

    @Test
    void racesFiftyBuyersForTenUnitsAndDrawsThem() throws Exception {
        HtmlPage lab = browser.getPage(url("/lab"));
        HtmlForm form = lab.getForms().get(1);

        HtmlPage started = form.<HtmlButton>getFirstByXPath(".//button").click();
        String path = started.getUrl().getPath();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(soFar(path)).contains("Sold + left = offered."));

        assertThat(path).startsWith("/lab/races/");
        String over = soFar(path);
        assertThat(over).startsWith("<div").contains("<polyline").doesNotContain("hx-get", "<html");
        assertThat(over.split("circle", -1)).hasSize(51);
        assertThat(over.split("class=\"bought\"", -1)).hasSizeGreaterThan(10);
        assertThat(browser.<HtmlPage>getPage(url(path))
                        .querySelector("#race-text")
                        .asNormalizedText())
                .startsWith("10 bought, 40 refused, 0 unknown of 50 buyers")
                .contains("0 of 10 left");
    }

    /** The plain side goes wrong by itself: nothing in it is imitated. */
    @ParameterizedTest
    @EnumSource(Experiment.class)
    void goesWrongPlainlyAndStaysRightSurely(Experiment experiment) {
        assertThat(sideBySide.compare(experiment).sure().right()).isTrue();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> !sideBySide.compare(experiment).plain().right());
    }

    @Test
    void leavesNoMemberBehind() {
        sideBySide.compare(Experiment.LOGIN);
        assertThat(members.findAll()).isEmpty();
    }

    @Test
    void showsBothSidesWithAndWithoutScripts() throws Exception {
        HtmlPage page = browser.<HtmlPage>getPage(url("/lab"))
                .getForms()
                .get(0)
                .<HtmlButton>getFirstByXPath(".//button")
                .click();

        assertThat(page.getElementById("sides").asNormalizedText())
                .contains(
                        "Wrong. The row says: Anna’s address.",
                        "Right. The row says: Bert’s correction.",
                        "its answer is lost");
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void showsThatATimeoutEndsInOnePurchase(Loss loss) {
        var report = lostAnswers.buyWhileLosing(loss);

        assertThat(report.available()).isEqualTo(8);
        assertThat(report.purchases()).isEqualTo(Map.of(report.purchaseId(), 2));
        assertThat(report.first()).isTrue();
        assertThat(report.again()).isFalse();
    }

    @Test
    void showsTheReportOnAPageWithAndWithoutScripts() throws Exception {
        HtmlPage lab = browser.getPage(url("/lab"));
        HtmlPage page =
                lab.getForms().get(2).<HtmlButton>getFirstByXPath(".//button").click();

        assertThat(page.getElementById("timeout").asNormalizedText()).contains("8 of 10 left", "One purchase.");
    }

    @Test
    void countsTombstonesOfSaveAndNoneOfAnOverwrite() {
        List<Tombstones.Count> counts = tombstones.compare();

        assertThat(counts).extracting(Tombstones.Count::way).containsExactly("save", "overwrite");
        assertThat(counts).extracting(Tombstones.Count::rows).containsOnly(40L);
        assertThat(counts.get(0).tombstones()).isGreaterThanOrEqualTo(200);
        assertThat(counts.get(1).tombstones()).isZero();
    }

    @Test
    void handsALeaseOfAKilledHolderOnWhenItHasRunOut() {
        post("/lab/leases");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(drama()).contains("The second holder waits"));

        post("/lab/leases/kill");

        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(drama()).contains("The second holder has the lease"));
        assertThat(drama())
                .containsSubsequence(
                        "The first holder has the lease",
                        "The first holder is killed",
                        "The first holder would know by now",
                        "The second holder has the lease");
    }

    @Test
    void saysWhatARaceIsForInsteadOfChangingIt() throws Exception {
        browser.getOptions().setThrowExceptionOnFailingStatusCode(false);
        HtmlForm form = browser.<HtmlPage>getPage(url("/lab")).getForms().get(1);
        form.getInputByName("buyers").setValue("201");
        HtmlPage refused = form.<HtmlButton>getFirstByXPath(".//button").click();
        assertThat(refused.getWebResponse().getStatusCode()).isEqualTo(400);
        assertThat(refused.getElementById("race-refused").asNormalizedText())
                .isEqualTo("A race is for 1 to 200 buyers and 1 to 200 units.");
        assertThat(refused.getForms().get(1).getInputByName("buyers").getValue())
                .isEqualTo("201");
    }

    @Test
    void keepsItsItemsOffTheFrontPage() throws Exception {
        sideBySide.compare(Experiment.STOCK);
        HtmlPage front = browser.getPage(url("/"));
        for (HtmlAnchor more = more(front); more != null; more = more(front)) {
            assertThat(front.asNormalizedText()).doesNotContain("Ten units, twenty buyers");
            front = more.click();
        }
        assertThat(front.asNormalizedText()).doesNotContain("Ten units, twenty buyers");
        HtmlPage shelf = browser.getPage(url("/tags/lab"));
        assertThat(shelf.asNormalizedText()).contains("Ten units, twenty buyers");
    }

    private static @Nullable HtmlAnchor more(HtmlPage shelf) {
        return shelf.querySelector(".more a");
    }

    @Test
    void knowsNoRaceThatNeverWas() {
        get("/lab/races/" + UUID.randomUUID()).expectStatus().isNotFound();
    }

    private String drama() {
        return get("/lab/leases").returnResult(String.class).getResponseBody();
    }

    private void post(String path) {
        api.post().uri(path).exchange().expectStatus().is3xxRedirection();
    }

    private String soFar(String path) {
        return api.get()
                .uri(path)
                .header("HX-Request", "true")
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseBody();
    }
}
