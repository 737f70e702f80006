package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.claims.UniqueStory.RowStory;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of whole rows in places where a guard of single values goes wrong, with the moments left to seeds.
 *
 * <p>Each is found in the guard as it is, which promises no whole rows: see {@link UniqueLedger#ROWS_ARE_PROMISED}. Once it
 * does, none is to be found.
 */
class RowStoriesTests {

    private static final int SEEDS = 300;

    @ParameterizedTest
    @EnumSource
    void findsWhatIsWrongWithARow(RowStory story) {
        List<String> found = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> UniqueStory.ofOneRow(seed, story, PlantedBug.NOTHING, false)
                        .run()
                        .wrongRows())
                .flatMap(List::stream)
                .toList();
        System.out.printf(
                "%s: %d of %d rows are wrong%s%n",
                story, found.size(), SEEDS, found.isEmpty() ? "" : ", for instance: " + found.get(0));
        assertThat(found).isNotEmpty().allSatisfy(wrong -> assertThat(wrong).matches(sentence(story)));
    }

    private static String sentence(RowStory story) {
        return switch (story) {
            case SAVED_WHILE_DELETED -> "a is torn: the row shows '\\[null, saver]', .*|a is re-stamped: delete .*";
            case DELETED_LATE -> "a is torn: the row shows '\\[null, saver]', .*";
            case SAVED_TWICE ->
                "a is re-stamped: change #\\d+ at \\[\\d+, \\d+.*]; (undone|back): the row shows '\\[y, first]' of .*";
            case SAVED_AFTER_A_RESTORATION ->
                "a is undone: the row shows '\\[x, free]' of the row at the beginning @\\d+, but change #\\d+ @\\d+ was done before";
        };
    }
}
