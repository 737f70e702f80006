package io.surewrite.alledeals.item;

import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.Cursor;
import io.surewrite.alledeals.web.Cursor.Page;
import java.time.YearMonth;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Finds items by what they are listed by, the newest first. */
@Service
class ListingService {

    private final UserItemRepository userItems;
    private final UserItemHistoryRepository history;
    private final TagItemRepository tagItems;
    private final UserService users;

    ListingService(
            UserItemRepository userItems,
            UserItemHistoryRepository history,
            TagItemRepository tagItems,
            UserService users) {
        this.userItems = userItems;
        this.history = history;
        this.tagItems = tagItems;
        this.users = users;
    }

    /** The items that a user lists now. */
    Page<UserItem> ofUser(UUID userId, @Nullable String after, int size) {
        Cursor cursor = new Cursor("user " + userId);
        UUID before = cursor.read(after);
        return known(userId, cursor.page(userItems.findPage(userId, before, size + 1), size, UserItem::itemId));
    }

    /** All items that a user listed in a month, for ever. */
    Page<UserItemHistory> history(UUID userId, YearMonth month, @Nullable String after, int size) {
        Cursor cursor = new Cursor("history %s %s".formatted(userId, month));
        UUID before = cursor.read(after);
        return known(
                userId,
                cursor.page(
                        history.findPage(userId, month.toString(), before, size + 1), size, UserItemHistory::itemId));
    }

    /** The items with a tag. */
    Page<TagItem> tagged(String tag, @Nullable String after, int size) {
        Cursor cursor = new Cursor("tag " + tag);
        return cursor.page(tagItems.findPage(tag, cursor.read(after), size + 1), size, TagItem::itemId);
    }

    /** Nothing found may mean nobody there: only then is it worth another read. */
    private <T> Page<T> known(UUID userId, Page<T> page) {
        if (page.items().isEmpty()) {
            users.get(userId);
        }
        return page;
    }
}
