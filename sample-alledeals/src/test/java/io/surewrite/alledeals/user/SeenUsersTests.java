package io.surewrite.alledeals.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SeenUsersTests {

    private final UUID id = UUID.randomUUID();
    private final SeenUsers seen = new SeenUsers(Clock.systemUTC());

    @Test
    void knowsHowAShopperLookedWhoIsNotRemoved() {
        UserView shopper = UserView.of(new User(id, "robin", "robin@example.org", 34, "Robin", "Porto", null));
        seen.add(id);
        seen.addShopper(shopper);

        assertThat(seen.has(id)).isTrue();
        assertThat(seen.shopper(id)).isEqualTo(shopper);

        seen.remove(id);

        assertThat(seen.has(id)).isFalse();
        assertThat(seen.shopper(id)).isNull();
    }
}
