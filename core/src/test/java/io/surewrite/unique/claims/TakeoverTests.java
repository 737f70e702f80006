package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.claims.ScriptedGuard.leased;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How an insert takes a value over from a writer whose row does not carry it, answer by answer. */
class TakeoverTests {

    private static final String CREATE = "create login 1:a";
    private static final String NOTE_FIRST = "raise row of user 2";

    private final ScriptedGuard user = new ScriptedGuard();
    private final SeenClaim former = settled("2", 40);
    private final CompletableFuture<Void> insert =
            user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    private final Sent create = user.next(CREATE);

    /** The claim of the other is marked; now its row is read once more. */
    private Sent marked() {
        create.refused(former);
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent mark = user.next("mark login 1:a");
        assertThat(mark.seen).isEqualTo(former.claim());
        mark.done();
        return mark;
    }

    private void takesOver(Sent mark, String fence) {
        Sent replace = user.next("replace login 1:a");
        assertThat(replace.seen).isEqualTo(new Claim("2", mark.id, null, 40));
        assertThat(replace.claim().owner()).isEqualTo("1");
        replace.done();
        assertThat(user.events).containsExactly("taken over login, " + fence, "claimed login");
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void deletesARowThatIsNotThere() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent raise = user.next(NOTE_FIRST);
        assertThat(raise.claim().writeTs()).isEqualTo(41);
        raise.refused(null);
        Sent note = user.next("note row of user 2");
        assertThat(note.claim()).isEqualTo(raise.claim());
        note.done();
        user.next("read 2").shows(ShownRow.absent("2"));
        Sent delete = user.next("delete 2");
        assertThat(delete.timestamp).isEqualTo(40);
        delete.done();
        takesOver(mark, "DELETED");
    }

    @Test
    void raisesTheClaimOfARowThatIsThere() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next(NOTE_FIRST).refused(settled("2", 70));
        Sent raise = user.next(NOTE_FIRST);
        assertThat(raise.claim().writeTs()).isEqualTo(71);
        raise.done();
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("delete 2").done();
        takesOver(mark, "DELETED");
    }

    @Test
    void standsBackBeforeAnotherWhoClaimsTheRow() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next(NOTE_FIRST).refused(leased("2", 70));
        Sent settle = user.next("settle login 1:a");
        assertThat(settle.id).isEqualTo(mark.id);
        settle.done();
        user.nextAfter(FIRST_PAUSE, CREATE);
    }

    @Test
    void doesNotKnowWhereANoteIsUnclear() {
        marked();
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next(NOTE_FIRST).fails(Sent.lost());
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    @Test
    void givesUpOnARowWhoseClaimAlwaysRises() {
        marked();
        user.next("read 2").shows(ShownRow.absent("2"));
        for (int i = 0; i < 5; i++) {
            user.next(NOTE_FIRST).refused(settled("2", 70 + 10L * i));
        }
        user.next("settle login 1:a").done();
        user.nextAfter(FIRST_PAUSE, CREATE);
    }

    @Test
    void needsNoFenceWhereANewerWriteShows() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.of("2", "z", 41));
        takesOver(mark, "DEAD_ALREADY");
    }

    /** Of two writes with one timestamp the greater value shows, so the late one may still win. */
    @Test
    void doesNotTrustAnotherValueOfTheSameTime() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.of("2", "z", 40));
        user.among("protect login 1:z").done();
        user.next("protect row of user 2").done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 40));
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(41);
        restore.done();
        takesOver(mark, "RESTORED");
    }

    @Test
    void isADuplicateWhereTheValueCameAtLast() {
        Sent mark = marked();
        user.next("read 2").shows(ShownRow.of("2", "a", 40));
        Sent settle = user.next("settle login 1:a");
        assertThat(settle.id).isEqualTo(mark.id);
        settle.done();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(DuplicateValueException.class);
    }

    @Test
    void beginsAgainWhereSomebodyElseWasFaster() {
        create.refused(former);
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("mark login 1:a").refused(settled("3", 60));
        user.next(CREATE).done();
        user.next("write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void doesNotKnowWhereAMarkIsUnclear() {
        create.refused(former);
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("mark login 1:a").fails(Sent.lost());
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }

    @Test
    void doesNotKnowWhereTheRowCannotBeRead() {
        marked();
        user.failsForGood("read 2");
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
        user.nothingSent();
    }

    /** The other's row has an older value, whose claim and the row's own are asked for. */
    private Sent restores(Sent mark) {
        user.next("read 2").shows(ShownRow.of("2", "z", 30));
        Sent protect = user.among("protect login 1:z");
        assertThat(protect.claim().writeTs()).isEqualTo(41);
        assertThat(protect.claim().owner()).isEqualTo("2");
        assertThat(mark.id).isNotNull();
        return protect;
    }

    @Test
    void restoresARowThatHasAnOlderValue() {
        Sent mark = marked();
        Sent protect = restores(mark);
        Sent row = user.next("protect row of user 2");
        protect.done();
        row.refused(null);
        Sent created = user.next("create row of user 2");
        assertThat(created.claim()).isEqualTo(row.claim());
        created.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 30));
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(41);
        restore.done();
        takesOver(mark, "RESTORED");
    }

    @Test
    void restoresAboveTheHighestClaimOfTheRow() {
        Sent mark = marked();
        Sent protect = restores(mark);
        protect.done();
        user.next("protect row of user 2").refused(settled("2", 90));
        Sent replace = user.among("replace login 1:z");
        assertThat(replace.seen).isEqualTo(protect.claim());
        assertThat(replace.claim().writeTs()).isEqualTo(91);
        replace.done();
        Sent again = user.next("protect row of user 2");
        assertThat(again.claim().writeTs()).isEqualTo(91);
        again.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 30));
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(91);
        restore.done();
        takesOver(mark, "RESTORED");
    }

    @Test
    void beginsAgainWhereTheRowHasChangedMeanwhile() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 35));
        Sent settle = user.among("settle login 1:z");
        assertThat(settle.id).isEqualTo(protect.claim().claimId());
        settle.done();
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    /** Of two writes with one timestamp, the greater value is what shows. */
    @Test
    void beginsAgainWhereTheRowHasAnotherValueOfTheSameTime() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "zz", 30));
        user.among("settle login 1:z").done();
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    /** It was there before the constraint, whose claims are not built yet. */
    @Test
    void restoresARowWhoseValueHasNoClaim() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.refused(null);
        Sent created = user.next("create login 1:z");
        assertThat(created.claim()).isEqualTo(protect.claim());
        created.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "z", 30));
        Sent restore = user.next("restore 2");
        assertThat(restore.timestamp).isEqualTo(41);
        restore.done();
        takesOver(mark, "RESTORED");
    }

    /** Otherwise it would be on its way out. */
    @Test
    void givesAClaimBackThatItMadeForARowWhichHasChanged() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.refused(null);
        Sent created = user.next("create login 1:z");
        created.done();
        user.next("read to restore 2").shows(ShownRow.of("2", "y", 42));
        Sent abandon = user.among("abandon login 1:z");
        assertThat(abandon.id).isEqualTo(created.claim().claimId());
        abandon.done();
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    @Test
    void beginsAgainWhereTheRowIsGoneMeanwhile() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.done();
        user.next("read to restore 2").shows(ShownRow.absent("2"));
        user.among("settle login 1:z").done();
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    @Test
    void beginsAgainWhereTheRowsValueIsAnothersByNow() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.refused(null);
        user.next("create login 1:z").refused(leased("3", 35));
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    @Test
    void beginsAgainWhereTheRowsValueIsAnothers() {
        Sent mark = marked();
        Sent protect = restores(mark);
        user.next("protect row of user 2").done();
        protect.refused(settled("3", 35));
        user.next("settle row of user 2").done();
        user.next("read 2").shows(ShownRow.of("2", "y", 42));
        takesOver(mark, "DEAD_ALREADY");
    }

    @Test
    void standsBackBeforeAWriterOfTheRow() {
        Sent protect = restores(marked());
        protect.done();
        user.next("protect row of user 2").refused(leased("2", 35));
        user.next("settle login 1:z").done();
        user.next("settle login 1:a").done();
        user.nextAfter(FIRST_PAUSE, CREATE);
    }

    @Test
    void doesNotKnowWhereAClaimOfTheRowIsUnclear() {
        Sent protect = restores(marked());
        protect.fails(Sent.lost());
        user.next("protect row of user 2").done();
        assertThatThrownBy(insert::join).hasCauseInstanceOf(ClaimsUnavailableException.class);
    }

    @Test
    void looksForTheOwnerOfAValue() {
        create.done();
        user.next("write").done();
        CompletableFuture<java.util.Optional<String>> found = user.guard
                .findOwnerAsync(user.rows, ScriptedGuard.LOGIN, ScriptedGuard.valueOf(ScriptedGuard.LOGIN, "a"))
                .toCompletableFuture();
        user.next("look at login 1:a").finds(settled("1", 50));
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        assertThat(found.join()).contains("1");
    }
}
