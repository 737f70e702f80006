package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TokenSliceTests {

    @Test
    void coverTheWholeRingWithoutGaps() {
        List<TokenSlice> all = TokenSlice.behind(Long.MIN_VALUE, 1024);
        assertThat(all).hasSize(1024);
        assertThat(all.get(0).after()).isEqualTo(Long.MIN_VALUE);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).after()).isEqualTo(all.get(i - 1).upto());
            assertThat(all.get(i).upto()).isGreaterThan(all.get(i).after());
        }
        assertThat(all.get(1023).upto()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void goOnBehindAToken() {
        List<TokenSlice> all = TokenSlice.behind(Long.MIN_VALUE, 1024);
        assertThat(TokenSlice.behind(all.get(99).upto(), 1024)).isEqualTo(all.subList(100, 1024));
        assertThat(TokenSlice.behind(5, 2)).containsExactly(new TokenSlice(5, Long.MAX_VALUE));
        assertThat(TokenSlice.behind(-5, 2)).containsExactly(new TokenSlice(-5, 0), new TokenSlice(0, Long.MAX_VALUE));
        assertThat(TokenSlice.behind(Long.MAX_VALUE, 1024)).isEmpty();
    }

    @Test
    void knowHowMuchLiesBefore() {
        assertThat(TokenSlice.share(Long.MIN_VALUE)).isZero();
        assertThat(TokenSlice.share(0)).isCloseTo(0.5, within(1e-9));
        assertThat(TokenSlice.share(Long.MAX_VALUE)).isCloseTo(1, within(1e-9));
    }
}
