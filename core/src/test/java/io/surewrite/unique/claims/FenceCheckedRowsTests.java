package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.FenceCheckedRows.Shown;
import java.util.List;
import org.junit.jupiter.api.Test;

class FenceCheckedRowsTests {

    private static final List<UniqueValue> X = List.of(new UniqueValue(List.of("x"), List.of("x")));
    private static final List<UniqueValue> Y = List.of(new UniqueValue(List.of("y"), List.of("y")));

    private final FenceCheckedRows settled = new FenceCheckedRows();

    @Test
    void knowsARowAsItWasSeen() {
        ClaimKey row = new ClaimKey("row of shop.user", "36:1");
        assertThat(settled.contains(new Shown(row, 7, X))).isFalse();
        settled.add(new Shown(row, 7, X));
        assertThat(settled.contains(new Shown(new ClaimKey("row of shop.user", "36:1"), 7, X)))
                .isTrue();
        assertThat(settled.contains(new Shown(row, 8, X))).isFalse();
        assertThat(settled.contains(new Shown(new ClaimKey("row of shop.item", "36:1"), 7, X)))
                .isFalse();
        assertThat(settled.contains(new Shown(row, 7, Y))).isFalse();
        settled.add(new Shown(row, 8, X));
        assertThat(settled.contains(new Shown(row, 7, X))).isFalse();
        assertThat(settled.contains(new Shown(row, 8, X))).isTrue();
    }

    @Test
    void remembersNothingWithoutATimestamp() {
        ClaimKey row = new ClaimKey("row", "1");
        settled.add(new Shown(row, RowSnapshot.NEVER, X));
        assertThat(settled.contains(new Shown(row, RowSnapshot.NEVER, X))).isFalse();
    }

    @Test
    void forgetsRowsAndNeverTakesOneForAnother() {
        for (int i = 0; i < 50_000; i++) {
            settled.add(new Shown(new ClaimKey("row", "row" + i), i, X));
        }
        int known = 0;
        for (int i = 0; i < 50_000; i++) {
            ClaimKey row = new ClaimKey("row", "row" + i);
            known += settled.contains(new Shown(row, i, X)) ? 1 : 0;
            assertThat(settled.contains(new Shown(row, i + 1, X))).isFalse();
        }
        assertThat(known).isBetween(8_000, 16_384);
    }
}
