package io.surewrite.alledeals.demo;

import static java.time.ZoneOffset.UTC;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.user.User;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The users and items of {@code demo-data.json}. Their ids follow from the file and, for items, from the month in which they
 * are listed, so that every start in it means the same ones.
 */
record DemoData(List<DemoUser> users, List<DemoItem> items) {

    /** Variant bits and a node of its own, which no clock-made id has. */
    private static final long DEMO_NODE = 0x8000_A11E_DEA1_0000L;

    static DemoData read(JsonMapper json) {
        return json.readValue(DemoData.class.getResourceAsStream("/demo-data.json"), DemoData.class);
    }

    List<User> allUsers() {
        return users.stream().map(DemoUser::toUser).toList();
    }

    List<Item> allItems(Instant now) {
        return IntStream.range(0, items.size())
                .mapToObj(index -> items.get(index).toItem(itemId(YearMonth.from(now.atOffset(UTC)), index), now))
                .toList();
    }

    private static UUID userId(String login) {
        return UUID.nameUUIDFromBytes(("alledeals demo user " + login).getBytes(StandardCharsets.UTF_8));
    }

    /** The items of the month before, whose offers may still be open. */
    List<UUID> earlierItems(Instant now) {
        YearMonth before = YearMonth.from(now.atOffset(UTC)).minusMonths(1);
        return IntStream.range(0, items.size())
                .mapToObj(index -> itemId(before, index))
                .toList();
    }

    private static UUID itemId(YearMonth month, int index) {
        Instant time = month.atDay(1).atStartOfDay().toInstant(UTC).plusMillis(index);
        return new UUID(Uuids.startOf(time.toEpochMilli()).getMostSignificantBits(), DEMO_NODE + index);
    }

    /** A user as in the file. */
    record DemoUser(String login, String email, int age, String fullName, String city, String about) {

        User toUser() {
            return new User(userId(login), login, email, age, fullName, city, about);
        }
    }

    /** An item as in the file; its offer ends that many days after today's midnight. */
    record DemoItem(
            String seller, String name, String description, BigDecimal price, int units, int days, Set<String> tags) {

        Item toItem(UUID id, Instant now) {
            Instant end = now.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(days));
            return new Item(
                    id, userId(seller), name, description, price.setScale(2), units, units, now, end, tags, false);
        }
    }
}
