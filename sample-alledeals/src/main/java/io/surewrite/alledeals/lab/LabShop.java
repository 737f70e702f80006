package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.user.User;
import io.surewrite.alledeals.user.UserService;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** The Lab's own seller, buyers and items: real ones, in the shop's tables. */
@Component
class LabShop {

    private static final Duration OPEN = Duration.ofHours(1);

    private final UserService users;
    private final ItemService items;
    private final Clock clock;

    LabShop(UserService users, ItemService items, Clock clock) {
        this.users = users;
        this.items = items;
        this.clock = clock;
    }

    /** Lists an item that is open for an hour. */
    Item listItem(String name, int units) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Item item = new Item(
                Uuids.timeBased(),
                registered("lab.seller"),
                name,
                "Listed by the Lab, to be fought over.",
                new BigDecimal("1.00"),
                units,
                units,
                now,
                now.plus(OPEN),
                Set.of("lab"),
                false);
        return items.list(item).item();
    }

    /** One of the Lab's buyers, registered when first needed. */
    UUID buyer(int number) {
        return registered("lab.buyer.%d".formatted(number));
    }

    private UUID registered(String login) {
        UUID id = UUID.nameUUIDFromBytes(("alledeals " + login).getBytes(StandardCharsets.UTF_8));
        if (users.find(id).isEmpty()) {
            users.register(new User(id, login, login + "@alledeals.example", 30, null, null, null));
        }
        return id;
    }
}
