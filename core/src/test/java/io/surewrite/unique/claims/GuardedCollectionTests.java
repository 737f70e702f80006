package io.surewrite.unique.claims;

import static io.surewrite.unique.claims.ScriptedGuard.leased;
import static io.surewrite.unique.claims.ScriptedGuard.settled;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is sent for a row with a set, whose writers must never have one timestamp, answer by answer. */
class GuardedCollectionTests {

    private final ScriptedGuard user = new ScriptedGuard().whoseRowsHaveASet();

    @Test
    void claimsARowThatIsInserted() {
        CompletableFuture<Void> insert =
                user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        Sent login = user.among("create login 1:a");
        Sent row = user.next("create row of user 1");
        assertThat(row.claim().writeTs()).isEqualTo(login.claim().writeTs());
        login.done();
        user.nothingSent();
        row.done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(row.claim().writeTs());
        write.done();
        assertThat(insert).isCompleted();
        user.nothingSent();
    }

    @Test
    void claimsARowOfWhichNothingUniqueChanges() {
        CompletableFuture<Void> save = save();
        SeenClaim before = settled("1", 50);
        user.among("look at login 1:a").finds(before);
        user.among("look at row of user 1").finds(null);
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        Sent login = user.among("replace login 1:a");
        assertThat(login.seen).isEqualTo(before.claim());
        login.done();
        user.next("create row of user 1").done();
        user.next("write").done();
        assertThat(save).isCompleted();
        user.nothingSent();
    }

    @Test
    void writesAboveAnotherWriterOfTheRow() {
        CompletableFuture<Void> save = save();
        user.among("look at login 1:a").finds(settled("1", 50));
        user.among("look at row of user 1").finds(settled("1", 50));
        user.next("read 1").shows(ShownRow.of("1", "a", 50));
        long others = user.now() + 5_000;
        user.among("replace login 1:a").done();
        user.next("replace row of user 1").refused(leased("1", others));
        user.next("create row of user 1").refused(leased("1", others));
        user.among("create login 1:a").refused(settled("1", user.now()));
        Sent row = user.among("create row of user 1");
        assertThat(row.claim().writeTs()).isEqualTo(others + 1);
        row.refused(leased("1", others));
        user.among("replace login 1:a").done();
        user.next("replace row of user 1").done();
        Sent write = user.next("write");
        assertThat(write.timestamp).isEqualTo(others + 1);
        write.done();
        assertThat(save).isCompleted();
    }

    private CompletableFuture<Void> save() {
        return user.guard.changeAsync(user.rows, user.user("1", "a")).toCompletableFuture();
    }
}
