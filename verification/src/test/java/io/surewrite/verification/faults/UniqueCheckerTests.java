package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UniqueCheckerTests {

    private final List<Event> events = new ArrayList<>();

    @Test
    void acceptsOwnersThatFollowEachOther() {
        present("client", "value row1", 10, 10);
        present("reader", "value row1", 5, 20);
        deleting("value row1", 30);
        absent("value row1", 40);
        present("client", "value row2", 50, 50);
        absent("value row3", 60);
        present("end", "value row2", 90, 95);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsTwoOwners() {
        present("client", "value row1", 10, 10);
        present("client", "value row2", 20, 20);
        present("end", "value row1", 90, 95);
        present("end", "value row2", 90, 95);

        assertThat(violations()).singleElement().asString().startsWith("two owners");
    }

    @Test
    void findsTwoOwnersUntilTheFirstIsDeleted() {
        present("client", "value row1", 10, 10);
        present("client", "value row2", 20, 20);
        deleting("value row1", 30);
        present("end", "value row2", 90, 95);

        assertThat(violations()).singleElement().asString().startsWith("two owners");
    }

    /** The first deletion, whose outcome nobody knew, has worked. */
    @Test
    void doesNotAccuseARowThatIsDeletedTwice() {
        present("client", "value row1", 10, 10);
        deleting("value row1", 20);
        present("client", "value row2", 40, 40);
        deleting("value row1", 50);
        absent("value row1", 60);
        present("end", "value row2", 90, 95);

        assertThat(violations()).isEmpty();
    }

    /** The one may be gone by the time the other comes. */
    @Test
    void doesNotAccuseRowsOfOneLongLook() {
        present("client", "value row1", 10, 10);
        deleting("value row1", 20);
        present("reader", "value row1", 15, 60);
        present("reader", "value row2", 15, 60);
        present("end", "value row2", 90, 95);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsASuccessThatIsGone() {
        present("client", "value row1", 10, 10);

        assertThat(violations()).singleElement().asString().contains("it is gone");
    }

    /** A look meets a late write of an insert whose value is being taken over. */
    @Test
    void doesNotAccuseAnInsertThatShowsForAMomentAndFails() {
        present("reader", "value row1", 16, 19);
        absent("value row1", 20);
        present("client", "value row2", 17, 17);
        present("end", "value row2", 90, 95);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsAnInsertThatSucceededAndFailed() {
        present("client", "value row1", 17, 17);
        absent("value row1", 20);

        assertThat(violations()).singleElement().asString().contains("it is gone");
    }

    @Test
    void findsARowThatWasThereBeforeAnInsertOfItFailed() {
        present("reader", "value row1", 5, 10);
        present("reader", "value row1", 16, 19);
        absent("value row1", 20);

        assertThat(violations()).singleElement().asString().contains("it is gone");
    }

    @Test
    void findsAFailureThatComesIntoEffect() {
        absent("value row1", 20);
        present("reader", "value row1", 30, 40);
        present("end", "value row1", 90, 95);

        assertThat(violations()).singleElement().asString().contains("was seen later");
    }

    @Test
    void findsADeletedRowThatComesBack() {
        present("client", "value row1", 10, 10);
        deleting("value row1", 20);
        absent("value row1", 30);
        present("reader", "value row1", 40, 50);

        assertThat(violations()).singleElement().asString().contains("was seen later");
    }

    @Test
    void findsARowOfTwoWrites() {
        present("client", "value row1", 10, 10);
        present("end", "value row1", 90, 95);
        events.add(new Event("reader", Event.MIXED, "value row1", 0, 50, 55));

        assertThat(violations()).singleElement().asString().contains("parts of two writes");
    }

    @Test
    void knowsWhatOneWriteHasMade() {
        TaggedEntry one = TaggedEntry.written(UUID.randomUUID(), "value");
        TaggedEntry other = TaggedEntry.written(one.id(), "value");
        assertThat(one.isWhole()).isTrue();
        Set<String> roles = new HashSet<>(one.roles());
        roles.addAll(other.roles());
        assertThat(new TaggedEntry(one.id(), "value", roles, one.notes()).isWhole())
                .isFalse();
        assertThat(new TaggedEntry(one.id(), "value", other.roles(), one.notes()).isWhole())
                .isFalse();
        assertThat(new TaggedEntry(one.id(), "value", one.roles(), Map.of()).isWhole())
                .isFalse();
    }

    @Test
    void keepsValuesApart() {
        present("client", "value1 row1", 10, 10);
        present("client", "value2 row2", 10, 10);
        present("end", "value1 row1", 90, 95);
        present("end", "value2 row2", 90, 95);

        assertThat(violations()).isEmpty();
    }

    private List<String> violations() {
        return new UniqueChecker().violations(events, "end");
    }

    private void present(String who, String subject, long from, long to) {
        events.add(new Event(who, Event.PRESENT, subject, 0, from, to));
    }

    private void deleting(String subject, long at) {
        events.add(new Event("client", Event.DELETING, subject, 0, at, at));
    }

    private void absent(String subject, long to) {
        events.add(new Event("client", Event.ABSENT, subject, 0, to - 5, to));
    }
}
