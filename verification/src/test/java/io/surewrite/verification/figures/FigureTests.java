package io.surewrite.verification.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureTests {

    @Test
    void saysWhatWasComparedAndWhetherTheGoalIsMet() {
        Figure figure = Figure.ratio("insert", "ms", 1.14, "by hand", 1.0);
        assertThat(figure.withGoal(Goal.atMost(1.10)))
                .hasToString("insert: 1.140 ms, by hand 1 ms: 1.140 × (goal: at most 1.10, missed)");
        assertThat(figure.withGoal(Goal.atLeast(1)))
                .hasToString("insert: 1.140 ms, by hand 1 ms: 1.140 × (goal: at least 1, met)");
    }

    @Test
    void judgesTheResultInsteadOfWhatItWasMadeOf() {
        Figure figure = Figure.ratio("save", "µs", 300, "plain", 100).withGoal(Goal.atMost(1.03));
        assertThat(figure.misses()).isTrue();
        assertThat(figure.withResult(1.012).misses()).isFalse();
    }

    @Test
    void showsAResultOfEachKind() {
        assertThat(Figure.difference("allocation", "B", 1_290, "plain", 1_100).resultText())
                .isEqualTo("+190 B");
        assertThat(Figure.value("held", "", 1_000).resultText()).isEqualTo("1,000");
        assertThat(Figure.value("held", "", 1_000)).hasToString("held: 1,000");
        assertThat(Figure.ratio("hot name", "/s", 5_000, "each", 200).resultText())
                .isEqualTo("25 ×");
    }

    @Test
    void hasNoGoalToMissUnlessThereIsOne() {
        assertThat(Figure.value("held", "", 0).misses()).isFalse();
        assertThat(Figure.value("held", "", 0).goalText()).isEmpty();
    }

    @Test
    void tellsHowFarAResultIsOnItsWayToTheLimit() {
        assertThat(Goal.atMost(2).share(1)).isEqualTo(0.5);
        assertThat(Goal.atLeast(2).share(4)).isEqualTo(0.5);
    }
}
