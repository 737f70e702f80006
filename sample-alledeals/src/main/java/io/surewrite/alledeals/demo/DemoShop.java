package io.surewrite.alledeals.demo;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.user.SuggestedShoppers;
import io.surewrite.alledeals.user.User;
import io.surewrite.alledeals.user.UserService;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fills the shop at the start, on the embedded server unless {@code alledeals.demo-data} says otherwise. It leaves alone
 * what is there: after a second start the shop looks as before.
 */
@Component
class DemoShop implements ApplicationRunner, SuggestedShoppers {

    private static final Logger log = LoggerFactory.getLogger(DemoShop.class);

    private final boolean wanted;
    private final DemoData data;
    private final UserService users;
    private final ItemService items;
    private final Clock clock;

    DemoShop(
            @Value("${alledeals.demo-data:#{null}}") @Nullable Boolean wanted,
            CassandraConnectionDetails server,
            JsonMapper json,
            UserService users,
            ItemService items,
            Clock clock) {
        this.wanted = wanted == null ? EmbeddedServer.isMeantBy(server) : wanted;
        this.data = DemoData.read(json);
        this.users = users;
        this.items = items;
        this.clock = clock;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        if (!wanted) {
            return;
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        List<User> newUsers = data.allUsers().stream()
                .filter(user -> users.find(user.id()).isEmpty())
                .toList();
        List<Item> newItems = isFull(now)
                ? List.of()
                : data.allItems(now).stream()
                        .filter(item -> items.find(item.id()).isEmpty())
                        .toList();
        newUsers.forEach(users::register);
        newItems.forEach(items::list);
        if (!newUsers.isEmpty() || !newItems.isEmpty()) {
            log.info("Demo data: {} users and {} items added", newUsers.size(), newItems.size());
        }
    }

    /** Whether the items of the month before still fill the shelves. */
    private boolean isFull(Instant now) {
        return data.earlierItems(now).stream()
                .flatMap(id -> items.find(id).stream())
                .anyMatch(item -> item.endDate().isAfter(now));
    }

    @Override
    public List<UUID> ids() {
        return wanted ? data.allUsers().stream().map(User::id).toList() : List.of();
    }
}
