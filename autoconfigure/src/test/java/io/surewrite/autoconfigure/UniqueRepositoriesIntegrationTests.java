package io.surewrite.autoconfigure;

import static io.surewrite.autoconfigure.UniqueApplication.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.surewrite.autoconfigure.UniqueApplication.IdempotentMembers;
import io.surewrite.autoconfigure.UniqueApplication.Member;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.UnclaimableValueException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** Unique values through repositories, as an application has them. */
class UniqueRepositoriesIntegrationTests extends UniqueApplicationTest {

    @Test
    void letsOnlyOneHaveALoginInAnyCase() {
        members.insert(member("Anna", "anna@example.org"));
        Member second = member(" aNNA", "other@example.org");
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(second))
                .satisfies(duplicate -> assertThat(duplicate.violations())
                        .extracting(Violation::constraint, Violation::properties)
                        .containsExactly(tuple("member-login", List.of("login"))))
                .withMessageContaining("member-login (login)")
                .withMessageNotContaining("aNNA");
        assertThat(members.findById(second.id())).isEmpty();
        members.insert(member("Other", "other@example.org")); // its address was given back
    }

    @Test
    void namesEveryViolatedConstraint() {
        members.insert(member("both", "both@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.save(member("both", "both@example.org")))
                .withMessageContaining("member-login (login)")
                .withMessageMatching(".*member\\.email(;.*)?")
                .satisfies(duplicate -> assertThat(duplicate.violations())
                        .extracting(Violation::constraint)
                        .containsExactlyInAnyOrder("member-login", "member.email"));
    }

    @Test
    void freesTheOldValueOfAChange() {
        Member before = member("before", "change@example.org");
        members.save(before);
        members.save(before.withLogin("after"));
        members.insert(member("before", "elsewhere@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(member("after", "third@example.org")));
        assertThat(members.findById(before.id()).orElseThrow().login()).isEqualTo("after");
    }

    @Test
    void freesTheValuesOfDeletedRows() {
        Member one = member("gone1", "gone1@example.org");
        Member two = member("gone2", "gone2@example.org");
        Member three = member("gone3", "gone3@example.org");
        Member four = member("gone4", "gone4@example.org");
        members.saveAll(List.of(one, two, three, four));
        members.delete(one);
        members.deleteById(two.id());
        members.deleteAll(List.of(three));
        members.deleteAllById(List.of(four.id()));
        assertThat(members.findAllById(List.of(one.id(), two.id(), three.id(), four.id())))
                .isEmpty();
        members.saveAll(List.of(
                member("gone1", "gone1@example.org"),
                member("gone2", "gone2@example.org"),
                member("gone3", "gone3@example.org"),
                member("gone4", "gone4@example.org")));
    }

    @Test
    void findsDuplicatesAmongRowsSavedTogether() {
        Member first = member("twin", "twin1@example.org");
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.saveAll(List.of(first, member("TWIN", "twin2@example.org"))));
        assertThat(members.existsById(first.id())).isTrue();
    }

    @Test
    void guardsOverwrites() {
        Member row = member("over", "over@example.org").withCity("Linz");
        members.insert(row);
        members.overwrite(row.withLogin("written").withCity(null));
        assertThat(members.findById(row.id()).orElseThrow())
                .isEqualTo(row.withLogin("written").withCity(null));
        members.insert(member("over", "over2@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.overwriteAll(List.of(member("written", "over3@example.org"))));
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> members.overwrite(row, OverwriteOptions.none().withTtl(Duration.ofHours(1))))
                .withMessageContaining("without options");
    }

    @Test
    void refusesToDeleteWithoutLooking() {
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> members.overwritePartition(UUID.randomUUID(), List.of()))
                .withMessageContaining("deletes rows without looking at them");
    }

    @Test
    void doesNotRetryADuplicate() {
        IdempotentMembers idempotent = application.getBean(IdempotentMembers.class);
        Member row = member("careful", "careful@example.org");
        assertThat(idempotent.save(row)).isEqualTo(row);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> idempotent.save(member("careful", "careless@example.org")));
    }

    @Test
    void runsCallbacksOnceAndGuardsWhatTheyMake() {
        Member row = member("callback", "CALLBACK@EXAMPLE.ORG");
        Member saved = members.save(row.withCity("  twice  "));
        assertThat(saved.city()).isEqualTo("[twice]");
        assertThat(members.findById(row.id()).orElseThrow().city()).isEqualTo("[twice]");
    }

    @Test
    void refusesWhatCannotBeClaimed() {
        Member large = member("large", "x".repeat(33_000));
        assertThatExceptionOfType(UnclaimableValueException.class)
                .isThrownBy(() -> members.save(large))
                .withMessageContaining("member.email");
        assertThat(members.existsById(large.id())).isFalse();
        Member half = member("half", "\ud83d@example.org");
        assertThatIllegalArgumentException().as("of the driver").isThrownBy(() -> members.save(half));
        members.insert(member("large", "of@example.org")); // nothing was claimed before all was looked at
        members.insert(member("half", "whole@example.org"));
    }
}
