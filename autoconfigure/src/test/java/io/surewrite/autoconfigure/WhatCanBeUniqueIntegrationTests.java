package io.surewrite.autoconfigure;

import static io.surewrite.autoconfigure.UniqueApplication.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.surewrite.autoconfigure.UniqueApplication.Address;
import io.surewrite.autoconfigure.UniqueApplication.Coupon;
import io.surewrite.autoconfigure.UniqueApplication.Coupons;
import io.surewrite.autoconfigure.UniqueApplication.Member;
import io.surewrite.autoconfigure.UniqueApplication.Pair;
import io.surewrite.autoconfigure.UniqueApplication.Pairs;
import io.surewrite.autoconfigure.UniqueApplication.Resident;
import io.surewrite.autoconfigure.UniqueApplication.Residents;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueFinder;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What can be unique besides a column, and how rows are found by it. */
class WhatCanBeUniqueIntegrationTests extends UniqueApplicationTest {

    @Test
    void keepsPartsOfACompoundApart() {
        Pairs pairs = application.getBean(Pairs.class);
        pairs.insert(new Pair(UUID.randomUUID(), "a", "bc"));
        pairs.insert(new Pair(UUID.randomUUID(), "ab", "c"));
        pairs.insert(new Pair(UUID.randomUUID(), "", "abc"));
        pairs.insert(new Pair(UUID.randomUUID(), "abc", ""));
        pairs.insert(new Pair(UUID.randomUUID(), "", ""));
        pairs.insert(new Pair(UUID.randomUUID(), null, ""));
        for (Pair again : List.of(
                new Pair(UUID.randomUUID(), "a", "bc"),
                new Pair(UUID.randomUUID(), "", ""),
                new Pair(UUID.randomUUID(), null, ""))) {
            assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> pairs.insert(again));
        }
    }

    @Test
    void followsPathsIntoEmbeddedObjects() {
        Residents residents = application.getBean(Residents.class);
        residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "Wien")));
        residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "Graz")));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "WIEN"))));
    }

    @Test
    void findsARowByItsValueHoweverItIsSpelled() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        Member member = member("Findable", "findable@example.org");
        members.insert(member);
        assertThat(finder.findKey("member-login", " fINDABLE")).contains(Map.of("id", member.id()));
        assertThat(finder.findKey("member.email", "findable@example.org")).contains(Map.of("id", member.id()));
        assertThat(finder.findKey("member.email", "FINDABLE@example.org")).isEmpty();

        members.save(member.withLogin("moved"));
        assertThat(finder.findKey("member-login", "findable")).isEmpty();
        assertThat(finder.findKey("member-login", "moved")).contains(Map.of("id", member.id()));
        members.delete(member);
        assertThat(finder.findKey("member-login", "moved")).isEmpty();
    }

    @Test
    void findsARowByPartsAndByItsKey() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        Pair pair = new Pair(UUID.randomUUID(), null, "findable");
        application.getBean(Pairs.class).insert(pair);
        application.getBean(Coupons.class).insert(new Coupon("FINDABLE", 5));
        assertThat(finder.findKey("pair.a+b", null, "findable")).contains(Map.of("id", pair.id()));
        assertThat(finder.findKey("coupon.code", "FINDABLE")).contains(Map.of("code", "FINDABLE"));
    }

    @Test
    void looksForNothingByAConstraintThatIsNotThere() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> finder.findKey("member-name", "x"))
                .withMessageContainingAll("member-name", "member-login");
        assertThatIllegalArgumentException().isThrownBy(() -> finder.findKey("pair.a+b", "x"));
    }
}
