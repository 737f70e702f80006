package io.surewrite.alledeals.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.lab.Comparison.Side;
import io.surewrite.alledeals.lab.Experiment.Code;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlPage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * The Lab shows what the database says: oracles 5, 7 and 8 once more, for people to try. The journey in the browser sees the plain side
 * of each experiment go wrong.
 */
class LabIntegrationTests extends ShopTest {

    private static final long SEED = 7;

    @Autowired
    private Comparisons comparisons;

    @Autowired
    private BadNetwork network;

    /** Each seed is another network: whatever is lost, ours stays right. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void staysRightWithEverySeed(long seed) {
        List<Side> sides = Stream.of("undo", "login", "stock", "tombstones", "mixed")
                .parallel() // They wait most of their time.
                .map(name -> besideOthers(experiment(name), seed).sure())
                .toList();
        assertThat(sides)
                .allSatisfy(side -> assertThat(side.verdict().right())
                        .as("%s %s", side.verdict(), side.timeline().events())
                        .isTrue());
    }

    @Test
    void losesTheSameMessagesWithTheSameSeed() {
        List<String> first = lost(comparisons.run(experiment("undo"), SEED));
        assertThat(first).isNotEmpty();
        assertThat(lost(comparisons.run(experiment("undo"), SEED))).isEqualTo(first);
    }

    /** Again when the machine is slow: then a released row has expired before it is read. */
    @Test
    void showsTheRowsThatNobodyWrote() {
        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            Comparison comparison = comparisons.run(experiment("mixed"), SEED);
            assertThat(comparison.plain().verdict().result())
                    .isEqualTo(
                            "Released: lock true, revision 1; lock true, revision 2. Expired: lock null, revision 2");
            assertThat(comparison.sure().verdict().result())
                    .isEqualTo("Released: lock false, revision 1; lock false, revision 1. Expired: no row");
        });
    }

    /** What the page calls "the lines that do this" stands in the file which it links to, and the page it names exists. */
    @Test
    void showsLinesThatExist() throws Exception {
        Path repository = Path.of("..").toAbsolutePath().normalize();
        for (Experiment experiment : comparisons.all()) {
            assertThat(repository.resolve(
                            "docs/%s.md".formatted(experiment.text().page())))
                    .exists();
            for (Code code :
                    List.of(experiment.text().plain(), experiment.text().sure())) {
                String source =
                        Files.readString(repository.resolve(code.path())).replaceAll("\\s", "");
                assertThat(code.lines().stream().map(line -> line.replaceAll("\\s", "")))
                        .allSatisfy(line -> assertThat(source.split(Pattern.quote(line), -1))
                                .as("%s in %s", line, code.path())
                                .hasSizeGreaterThan(1));
            }
        }
    }

    @Test
    void showsBothSidesWithAndWithoutScripts() throws Exception {
        HtmlForm form = form(browser.getPage(url("/lab?experiment=undo&seed=" + SEED)), "/lab/sides");
        assertThat(form.getInputByName("seed").getValue()).isEqualTo("" + SEED);
        HtmlPage page = form.<HtmlButton>getFirstByXPath(".//button").click();

        assertThat(page.getElementById("sides").asNormalizedText())
                .contains("Wrong. The row says: Anna’s address.", "Right. The row says: Bert’s correction.", "lost");
        assertThat(page.<HtmlAnchor>getHtmlElementById("again").getHrefAttribute())
                .isEqualTo("/lab?experiment=undo&seed=" + SEED);
    }

    /** Whoever follows a link has not asked for anything to be done. */
    @Test
    void runsNothingForALink() throws Exception {
        HtmlPage page = browser.getPage(url("/lab?experiment=lock&seed=17"));
        assertThat(page.getElementById("sides").asNormalizedText()).isEmpty();
        assertThat(page.getElementById("question").asNormalizedText())
                .isEqualTo(experiment("lock").text().question());
        assertThat(page.<HtmlInput>querySelector("#sides-form input[value=lock]")
                        .isChecked())
                .isTrue();
    }

    @Test
    void keepsItsItemsOffTheFrontPage() throws Exception {
        comparisons.run(experiment("stock"), SEED);
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

    /** Visitors have one experiment at a time, so that each is fit to look at. A test does not look. */
    private Comparison besideOthers(Experiment experiment, long seed) {
        return new Comparisons(List.of(experiment), network).run(experiment, seed);
    }

    private Experiment experiment(String name) {
        return comparisons.find(name).orElseThrow();
    }

    private static List<String> lost(Comparison comparison) {
        return Stream.of(comparison.plain(), comparison.sure())
                .flatMap(side -> side.timeline().events().stream())
                .filter(event -> event.kind() == Kind.LOST)
                .map(event -> event.who() + " " + event.what().replaceAll(":.*", ""))
                .toList();
    }

    /** The form that sends to an address. */
    private static HtmlForm form(HtmlPage page, String action) {
        return page.<HtmlForm>querySelector("form[action='" + action + "']");
    }
}
