package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Violation;
import io.surewrite.unique.UniqueStory.RowStory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of whole rows where a guard of single values goes wrong, with the moments left to seeds. The first guard of
 * this project left most of these rows torn, or undid what was done.
 */
class RowStoriesTests {

    private static final int SEEDS = 300;

    @ParameterizedTest
    @EnumSource
    void leavesTheRowWhole(RowStory story) {
        assertThat(wrong(story, PlantedBug.NOTHING)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void noticesWhereItDoesNot(RowStory story) {
        PlantedBug bug = switch (story) {
            case SAVED_WHILE_DELETED, DELETED_LATE -> PlantedBug.ONLY_OTHER_COLUMNS;
            case SAVED_TWICE -> PlantedBug.STAMPED_AGAIN;
            case SAVED_AFTER_A_RESTORATION -> PlantedBug.NO_LOOK_AT_THE_FENCE;
        };
        assertThat(wrong(story, bug)).isNotEmpty();
    }

    private static List<String> wrong(RowStory story, PlantedBug bug) {
        List<String> wrong = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                UniqueStory.ofOneRow(seed, story, bug).run();
            } catch (Violation violation) {
                wrong.add(violation.getMessage());
            }
        }
        return wrong;
    }
}
