package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Recent;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** How whoever shopped looked, for as long as the database is away. */
@Component
class SeenUsers {

    private final Map<UUID, UserView> shoppers = Recent.map(10_000);

    void add(UserView shopper) {
        shoppers.put(shopper.id(), shopper);
    }

    @Nullable
    UserView shopper(UUID id) {
        return shoppers.get(id);
    }

    /** Nothing of a user who is removed stays in the memory. */
    void remove(UUID id) {
        shoppers.remove(id);
    }
}
